"""The OpenAPI document: names of operations and components from the classes, one shape of error for all of them."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from web.api.view import ApiView

_ERROR = {
    "type": "object",
    "description": "Every answer of 400 and above.",
    "properties": {
        "code": {"type": "string", "description": "Stable, for machines."},
        "message": {"type": "string", "description": "For people: names the value and says what to do."},
        "extra": {"type": "object", "additionalProperties": {}, "description": "What the message says, as values."},
    },
    "required": ["code", "message", "extra"],
}


class OperationSchema(AutoSchema):
    """`Bots.get` is the operation `bots_get`, its `Output` the component `BotsOutput`; a docstring begins with the summary."""

    def get_operation_id(self) -> str:
        return f"{_snake(type(self.view).__name__)}_{self.method.lower()}"

    def get_summary(self) -> str:
        return self._told().partition("\n")[0]

    def get_description(self) -> str:  # type: ignore[override]  # the generator's own, which knows path and method
        return self._told().partition("\n")[2].strip()

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.rpartition(".")[2]]

    def get_serializer_name(self, serializer: Serializer[Any], direction: str) -> str:
        return type(serializer).__qualname__.replace(".", "")

    def _told(self) -> str:
        """Of the method: an operation without a docstring is an error of ours."""
        lines = (getattr(self.view, self.method.lower()).__doc__ or "").strip().splitlines()
        return "\n".join(line.strip() for line in lines)


class AccountTokenScheme(OpenApiAuthenticationExtension):
    target_class = "web.api.authentication.AccountToken"
    name = "account_token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token ...`, as POST /api/v1/login answers it.",
        }


class SiteSessionScheme(OpenApiAuthenticationExtension):
    target_class = "web.api.authentication.SiteSession"
    name = "site_session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The cookie of the site; what writes needs the header X-CSRFToken too.",
        }


class BotTokenScheme(OpenApiAuthenticationExtension):
    target_class = "web.api.authentication.BotToken"
    name = "bot_token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "The token a bot plays with; read at /api/v1/bot alone.",
        }


def describe_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of the generator's."""
    result["components"]["schemas"]["Error"] = _ERROR
    answer = {
        "description": "An error.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for methods in result["paths"].values():
        for operation in methods.values():
            operation["responses"]["default"] = answer
    return result


@cache
def document() -> Mapping[str, Any]:
    """The whole document; it changes with the code alone."""
    schema: Mapping[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


class SchemaDocument(ApiView):
    """`/api/schema/`: JSON, or YAML for those who ask for it by `Accept` or `?format=yaml`."""

    schema = None
    content_negotiation_class = DefaultContentNegotiation
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer)

    def get(self, request: Request) -> Response:
        return Response(document())


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
