"""The OpenAPI document, and its page."""

from pathlib import Path

import pytest
from django.core.management import call_command

from tests.web.api.asking import Asker
from web.api.schema import document
from web.api.urls import v1

pytestmark = pytest.mark.django_db


def test_the_document_is_valid_and_nothing_had_to_be_guessed(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))


def test_it_is_served_as_json_and_as_yaml() -> None:
    as_json = Asker().ask("GET", "/api/schema/")
    assert as_json["Content-Type"] == "application/json"
    assert as_json.json()["openapi"].startswith("3.")
    as_yaml = Asker().ask("GET", "/api/schema/?format=yaml")
    assert "yaml" in as_yaml["Content-Type"] or "openapi" in as_yaml["Content-Type"]
    assert as_yaml.content.startswith(b"openapi: 3.")


def test_every_address_is_in_it_with_a_summary_and_the_shape_of_errors() -> None:
    paths = document()["paths"]
    assert len(paths) == len(v1)
    for path, methods in paths.items():
        for method, told in methods.items():
            assert told["summary"], (path, method)
            assert told["responses"]["default"]["content"]["application/json"]["schema"]["$ref"].endswith("/Error")


def test_the_bots_token_is_taken_at_one_address_alone() -> None:
    taken = [
        path
        for path, methods in document()["paths"].items()
        for told in methods.values()
        if any("bot_token" in way for way in told["security"])
    ]
    assert taken == ["/api/v1/bot"]


def test_no_shape_has_an_id_of_the_database() -> None:
    """Public ids are texts; decisions are counted within their game."""
    for name, shape in document()["components"]["schemas"].items():
        for field, told in shape.get("properties", {}).items():
            if field == "id" or (field.endswith("_id") and field != "decision_id"):
                assert told["type"] == "string", f"{name}.{field}"


def test_the_page_lists_every_operation() -> None:
    answer = Asker().ask("GET", "/api/")
    assert answer.status_code == 200
    page = answer.content.decode()
    for methods in document()["paths"].values():
        for told in methods.values():
            assert f'id="{told["operationId"]}"' in page
    assert "<script>" not in page
