"""The fields of a page as a browser would send them."""

from html.parser import HTMLParser


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, str] = {}
        self._select = ""
        self._textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        name = told.get("name") or ""
        if tag == "input" and name and told.get("type") not in ("submit", "button"):
            if told.get("type") not in ("checkbox", "radio") or "checked" in told:
                self.data[name] = told.get("value") or ("on" if told.get("type") == "checkbox" else "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in told or self._select not in self.data):
            self.data[self._select] = told.get("value") or ""
        elif tag == "textarea":
            self._textarea, self.data[name] = name, ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._textarea = ""

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.data[self._textarea] += data.removeprefix("\n") if not self.data[self._textarea] else data


def fields_of(page: str) -> dict[str, str]:
    """Of all forms of the page together: a select gives what is chosen, else its first."""
    reader = _Fields()
    reader.feed(page)
    return reader.data
