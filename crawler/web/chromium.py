"""Chromium without a network: what the elements of a page that was read look like to a browser.

The page comes as text. Chromium loads nothing for it and runs no script of it: everything that
would is taken out before, and its policy forbids the rest. One page is one process that is ended
after a while, with everything it started.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lxml import etree, html

from crawler.errors import ConfigError
from crawler.turns import waiting

NAMES = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 15.0
"""Until a page is given up; most take less than one."""
MAX_OUTPUT = 50_000_000
MARK = "data-tallyho"
"""The attribute that holds the number of an element that is asked about, as in `pages`."""
_CORES = os.sched_getaffinity(0)
"""Crawls of many sites keep to one core; the browser may have all that were given to us."""
_DANGEROUS = (
    *("script", "style", "link", "meta", "base"),
    *("iframe", "frame", "object", "embed", "portal"),
)
_ASK = """
const names = NAMES, found = {};
for (const e of document.querySelectorAll("[MARK]")) {
  const style = getComputedStyle(e);
  found[e.getAttribute("MARK")] = names.map(name => style.getPropertyValue(name));
}
const answer = document.createElement("pre");
answer.textContent = JSON.stringify(found);
document.documentElement.replaceChildren(answer);
"""


class Chromium:
    """Asks for the computed styles of marked elements, one page at a time."""

    def __init__(self, seconds: float = SECONDS) -> None:
        found = next((path for name in NAMES if (path := shutil.which(name))), None)
        if found is None:
            raise ConfigError(
                f"styles: computed needs a browser, and none of {', '.join(NAMES)} is on the PATH"
            )
        self._program = found
        self._seconds = seconds

    def computed(
        self, root: etree._Element, sheets: Sequence[str], names: Sequence[str]
    ) -> dict[int, list[str]] | None:
        """The values of these properties by the mark of an element; None where none were to be had.

        `root` is changed: it must be a copy.
        """
        with tempfile.TemporaryDirectory(prefix="tallyho-page-") as folder:
            page = Path(folder) / "page.html"
            page.write_bytes(_offline(root, sheets, names))
            output = self._run(page, Path(folder))
        return _answer(output, len(names))

    def _run(self, page: Path, folder: Path) -> bytes:
        command = [
            self._program,
            "--headless",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--no-first-run",
            "--no-default-browser-check",
            # Nothing is to be looked up; if something were, no name would lead anywhere.
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--js-flags=--max-old-space-size=256",
            "--window-size=1280,720",
            f"--user-data-dir={folder / 'profile'}",
            "--dump-dom",
            page.as_uri(),
        ]
        if os.geteuid() == 0:  # it refuses its sandbox to root
            command.insert(1, "--no-sandbox")
        with (folder / "dom").open("w+b") as output:
            process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            with suppress(OSError):
                os.sched_setaffinity(process.pid, _CORES)
            try:
                with waiting():
                    process.wait(self._seconds)
            except subprocess.TimeoutExpired:
                return b""
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            output.seek(0)
            return output.read(MAX_OUTPUT)


def _offline(root: etree._Element, sheets: Sequence[str], names: Sequence[str]) -> bytes:
    """The page with these sheets and our question, without anything that asks or runs."""
    for element in list(root.iter(*_DANGEROUS)):
        _drop(element)
    for element in root.iter(etree.Element):
        for name in [one for one in element.attrib if str(one).lower().startswith("on")]:
            del element.attrib[name]
    once = secrets.token_urlsafe()
    head = root.find("head")
    if head is None:
        head = html.Element("head")
        root.insert(0, head)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{once}'"
    charset = html.Element("meta", charset="utf-8")
    forbidden = html.Element("meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    head[:0] = [charset, forbidden]
    for text in sheets:
        style = html.Element("style")
        # A sheet cannot end its element.
        style.text = text.replace("</", "<\\/")
        head.append(style)
    question = html.Element("script", nonce=once)
    question.text = _ASK.replace("NAMES", json.dumps(list(names))).replace("MARK", MARK)
    root.append(question)
    return bytes(html.tostring(root, doctype="<!DOCTYPE html>", encoding="utf-8"))


def _drop(element: etree._Element) -> None:
    """Take an element out; the text that follows it stays."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _answer(output: bytes, count: int) -> dict[int, list[str]] | None:
    try:
        said = html.document_fromstring(output).findtext(".//pre") if output.strip() else None
        found = json.loads(said) if said else None
    except (ValueError, etree.LxmlError):
        return None
    if not isinstance(found, dict):
        return None
    return {
        int(number): [str(value) for value in values]
        for number, values in found.items()
        if number.isdecimal() and isinstance(values, list) and len(values) == count
    }
