"""Health and reflection on a bot port, within the limits for visitors: anybody may call them, so nobody may hold them open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from grpc.aio import EOF  # type: ignore[attr-defined]  # the stubs leave it out

from referee.rpc.gate import Gate, TooMany

_PLAY = "/fivecrowns.bot.v1.BotService/Play"

Context = grpc.aio.ServicerContext


class DoorInterceptor(grpc.aio.ServerInterceptor):
    """Every call but `Play` is a visit, and a short one. They are all served as streams: for a unary call grpc would wait for its
    request before anything here could count it."""

    def __init__(self, gate: Gate, within_s: float) -> None:
        self._gate = gate
        self._within_s = within_s

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler]],
        details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler:
        handler = await continuation(details)
        if handler is None or details.method == _PLAY:
            return handler

        async def visit(requests: AsyncIterator[object], context: Context) -> None:
            try:
                with self._gate.visit(context.peer()):
                    async with asyncio.timeout(self._within_s):
                        await _serve(handler, requests, context)
            except TooMany as error:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
            except TimeoutError:
                await context.abort(
                    grpc.StatusCode.DEADLINE_EXCEEDED, f"no call lasts longer than {self._within_s:g} s"
                )

        return grpc.stream_stream_rpc_method_handler(visit, handler.request_deserializer, handler.response_serializer)


async def _serve(handler: Any, requests: AsyncIterator[object], context: Context) -> None:
    """`handler` is untyped: the stubs know handlers of the threaded server only."""
    if handler.request_streaming and handler.response_streaming:
        async for answer in handler.stream_stream(requests, context):
            await context.write(answer)
        return
    if handler.response_streaming:
        # Health.Watch. Who gets this answer takes the server for healthy as long as the connection stands.
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "ask Check")
    request = await context.read()
    if request is EOF:
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no request came")
    await context.write(await handler.unary_unary(request, context))
