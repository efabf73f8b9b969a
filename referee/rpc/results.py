"""Finished results, on disk before they are offered and until the site has them."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fivecrowns.referee.v1 import referee_pb2
from referee.record.crash_points import reach

_SUFFIX = ".result"
_MAX_ANSWER_BYTES = 2 * 1024 * 1024
"""Well under what gRPC reads by default."""
_FORGOTTEN_KEPT = 10_000


class ResultStore:
    """One file a result. A file is complete or absent: it is written beside, synced and renamed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._waiting: dict[str, referee_pb2.GameResult] = {}
        self._forgotten: dict[str, None] = {}
        """Attempts acknowledged lately, so that starting one again plays nothing."""
        self._arrived = asyncio.Event()
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="results")
        for path in sorted(folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime_ns):
            result = referee_pb2.GameResult.FromString(path.read_bytes())
            self._waiting[result.attempt_id] = result

    def __len__(self) -> int:
        return len(self._waiting)

    def get(self, attempt_id: str) -> referee_pb2.GameResult | None:
        return self._waiting.get(attempt_id)

    def was_collected(self, attempt_id: str) -> bool:
        return attempt_id in self._forgotten

    async def add(self, result: referee_pb2.GameResult) -> None:
        """Offers a result once it is on disk."""
        reach("result.before")
        await asyncio.get_running_loop().run_in_executor(self._disk, self._write, result)
        reach("result.on_disk")
        self._waiting[result.attempt_id] = result
        self._arrived.set()

    async def collect(self, limit: int, wait_s: float) -> tuple[list[referee_pb2.GameResult], bool]:
        """The oldest results, and whether more wait; waits a little for the first one."""
        if not self._waiting and wait_s > 0:
            self._arrived.clear()
            try:
                async with asyncio.timeout(wait_s):
                    await self._arrived.wait()
            except TimeoutError:
                return [], False
        chosen: list[referee_pb2.GameResult] = []
        size = 0
        for result in self._waiting.values():
            size += result.ByteSize()
            if len(chosen) == limit or (chosen and size > _MAX_ANSWER_BYTES):
                break
            chosen.append(result)
        reach("result.offered")
        return chosen, len(chosen) < len(self._waiting)

    async def forget(self, attempt_ids: list[str]) -> int:
        """Removes what the site has stored; answers how many were here."""
        known = [attempt_id for attempt_id in attempt_ids if attempt_id in self._waiting]
        reach("acknowledged.before")
        await asyncio.get_running_loop().run_in_executor(self._disk, self._remove, known)
        reach("acknowledged")
        for attempt_id in known:
            self._waiting.pop(attempt_id, None)
            self._forgotten[attempt_id] = None
        while len(self._forgotten) > _FORGOTTEN_KEPT:
            del self._forgotten[next(iter(self._forgotten))]
        return len(known)

    def close(self) -> None:
        self._disk.shutdown(wait=True)

    def _path(self, attempt_id: str) -> Path:
        return self._folder / f"{attempt_id}{_SUFFIX}"

    def _write(self, result: referee_pb2.GameResult) -> None:
        path = self._path(result.attempt_id)
        beside = path.with_suffix(".writing")
        with beside.open("wb") as file:
            file.write(result.SerializeToString())
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)

    def _remove(self, attempt_ids: list[str]) -> None:
        for attempt_id in attempt_ids:
            self._path(attempt_id).unlink(missing_ok=True)
