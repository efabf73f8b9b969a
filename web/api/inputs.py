"""Reading what a caller sent: each problem names field and value, and nothing that is not understood is passed over."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from tournaments.errors import TournamentError

_SHOWN = 80


class Fields(serializers.Serializer[Any]):
    """Fields of a body or a query. Secrets are `write_only`: they are never shown again, in errors neither."""


class Text(serializers.CharField):
    """A text and nothing that could be made into one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


def checked(kind: type[Fields], data: Any) -> dict[str, Any]:
    """The values of a body or query, or `invalid` with every problem by its path: `stages[0].seats`."""
    problems: dict[str, str] = {}
    plain = _plain(data, problems) if isinstance(data, QueryDict) else data
    if not isinstance(plain, Mapping):
        raise TournamentError("invalid", f"the body is {_shown(plain)}: send an object with the fields", fields={})
    serializer = kind(data=plain)
    if not serializer.is_valid():
        problems |= dict(_problems(serializer, serializer.errors, plain, ""))
    problems |= dict(_unknown(serializer, plain, ""))
    if problems:
        words = "; ".join(f"{path}: {text}" for path, text in problems.items())
        raise TournamentError("invalid", words, fields=problems)
    return dict(serializer.validated_data)


def _plain(query: QueryDict, problems: dict[str, str]) -> dict[str, str]:
    for name, values in query.lists():
        if len(values) > 1:
            problems[_name(name)] = f"it is given {len(values)} times: give it once"
    return {name: str(values[-1]) for name, values in query.lists()}


def _problems(field: Any, errors: Any, value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Errors as the framework nests them, with the path and the value of each."""
    if isinstance(errors, Mapping):
        for key, inner in errors.items():
            if key == "non_field_errors":
                yield path or "body", f"{' '.join(map(str, inner))} (given: {_shown(value)})"
            else:
                yield from _problems(_child(field, key), inner, _part(value, key), _path(path, key))
    elif any(isinstance(each, Mapping) for each in errors):
        for index, inner in enumerate(errors):
            yield from _problems(_child(field, index), inner, _part(value, index), _path(path, index))
    else:
        text = " ".join(map(str, errors))
        is_hidden = value is None or getattr(field, "write_only", False)
        yield path, text if is_hidden else f"{text} (given: {_shown(value)})"


def _unknown(field: Any, value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        for index, each in enumerate(value):
            yield from _unknown(field.child, each, _path(path, index))
    elif isinstance(field, serializers.Serializer) and isinstance(value, Mapping):
        for key, each in value.items():
            if key in field.fields:
                yield from _unknown(field.fields[key], each, _path(path, key))
            else:
                yield _path(path, _name(key)), f"there is no such field: known are {', '.join(field.fields)}"


def _child(field: Any, key: Any) -> Any:
    if isinstance(field, serializers.ListField):
        return field.child
    return field.fields.get(key) if isinstance(field, serializers.Serializer) else None


def _part(value: Any, key: Any) -> Any:
    try:
        return value[key]
    except (KeyError, IndexError, TypeError):
        return None


def _path(path: str, key: Any) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)


def _name(key: str) -> str:
    """A name nobody knows may hold anything."""
    return key[:_SHOWN] if key.isidentifier() and key.isascii() else _shown(key)


def _shown(value: Any) -> str:
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
