"""Archives: each member that holds data is read as a file of its own, within what is left."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import BinaryIO

from crawler.errors import NotATable
from crawler.readers.bounds import Bounds
from crawler.readers.compressed_files import CompressedPacking, TarPacking, is_tar
from crawler.readers.content import Content, Paper, Part, Table, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.packing import Member, Packing, shown
from crawler.readers.ranking import is_about_name, ranked
from crawler.readers.recognise import recognise
from crawler.readers.seven_zip import SevenZipPacking
from crawler.readers.unreadable import Unreadable
from crawler.readers.zip_files import ZipPacking

ReadMember = Callable[[BinaryIO, str, Bounds], Content]
"""Reads the bytes of a member as a file with that name."""

_MAX_PARTS = 100
_GLANCED = 10
_PAPERS = 3
"""Documents that are looked at where an archive holds nothing else."""
_FOR_PEOPLE = (".pdf", ".html", ".htm", ".doc", ".docx", ".odt", ".rtf", ".md", ".jpg", ".png")
_NAMES_FOR_PEOPLE = ("readme", "read_me", "lisezmoi", "liesmich", "licence", "license", "copying")
_FOR_PEOPLE_SAID = "not looked at, a text for people by its name"
_LEFT_BY_SYSTEMS = ("__macosx/", ".ds_store", "thumbs.db", "desktop.ini")


def read_archive(
    stream: BinaryIO,
    kind: Kind,
    bounds: Bounds,
    read_member: ReadMember,
    *,
    name: str = "",
    member: str | None = None,
) -> Content:
    """The tables of the members, or of the one asked for; raises Unreadable for the archive."""
    if bounds.nesting <= 0:
        raise Unreadable(Trouble.TOO_DEEP, "it is an archive within an archive within an archive")
    if kind is Kind.ZIP or kind is Kind.SEVEN_ZIP:
        packing = (ZipPacking if kind is Kind.ZIP else SevenZipPacking)(stream, bounds)
        return _read_members(packing, kind, bounds, read_member, member)
    compressed = CompressedPacking(stream, kind, name, bounds)
    for only, unpacked in compressed.unpack(compressed.members):
        if isinstance(unpacked, Unreadable):
            raise unpacked
        if is_tar(unpacked):
            return _read_members(TarPacking(unpacked, bounds), kind, bounds, read_member, member)
        return _of_one(kind, read_member(unpacked, only.name, _left(bounds, 0, 0)))
    raise AssertionError("a compressed file has one member")


def _of_one(kind: Kind, content: Content) -> Content:
    """A compressed file is what is in it."""
    if content.trouble is Trouble.BOMB:
        raise Unreadable(Trouble.BOMB, content.detail)
    return replace(content, kind=kind, inner=tuple(sorted({content.kind, *content.inner})))


def _read_members(
    packing: Packing, kind: Kind, bounds: Bounds, read_member: ReadMember, wanted: str | None
) -> Content:
    members = [member for member in packing.members if not _is_left_by_system(member.name)]
    collected = _Collected(kind, bounds)
    if wanted is not None:
        collected.read(packing, [_wanted(members, wanted)], read_member)
        return collected.content(1)
    # What is likely to be data is read first, as there may be more files than are read.
    looked_at = sorted(members[: bounds.members], key=lambda one: is_about_name(one.name))
    for_people = [member for member in looked_at if _is_for_people(member.name)]
    collected.read(
        packing, [member for member in looked_at if member not in for_people], read_member
    )
    if not collected.tables:
        collected.read(packing, for_people[:_PAPERS], read_member)
        for_people = for_people[_PAPERS:]
    collected.glance(packing, for_people)
    if beyond := len(members) - len(looked_at):
        collected.pass_over([Member(-1, "…")], f"{beyond:,} more files were not looked at")
    return collected.content(len(members))


class _Collected:
    """What was found in the members so far."""

    def __init__(self, kind: Kind, bounds: Bounds) -> None:
        self._kind = kind
        self._bounds = bounds
        self.tables: list[Table] = []
        self._cells = 0
        self._parts: list[Part] = []
        self._kinds: set[Kind] = set()
        self._paper: Paper | None = None

    def read(self, packing: Packing, members: Sequence[Member], read_member: ReadMember) -> None:
        # Only as many are unpacked as there may be tables: some packings unpack all at once.
        room = max(0, self._bounds.tables - len(self.tables))
        self.pass_over(members[room:], "not looked at, there are tables enough")
        for member, unpacked in packing.unpack(members[:room]):
            if isinstance(unpacked, Unreadable):
                self._add(Part(shown(member.name), Kind.BINARY, unpacked.trouble, unpacked.detail))
                continue
            left = _left(self._bounds, len(self.tables), self._cells)
            if not left.tables or left.cells <= 0:
                self.pass_over([member], "not looked at, there are tables enough")
                continue
            self._take(shown(member.name), read_member(unpacked, member.name, left))

    def glance(self, packing: Packing, members: Sequence[Member]) -> None:
        """Takes note of what texts for people are, without reading them."""
        for member, unpacked in packing.unpack(members[:_GLANCED]):
            if not isinstance(unpacked, Unreadable):
                kind = recognise(unpacked, member.name)
                self._kinds.add(kind)
                self._add(Part(shown(member.name), kind, None, _FOR_PEOPLE_SAID))
        self.pass_over(members[_GLANCED:], _FOR_PEOPLE_SAID)

    def pass_over(self, members: Sequence[Member], why: str) -> None:
        for member in members[:_MAX_PARTS]:
            self._add(Part(shown(member.name), Kind.BINARY, None, why))

    def content(self, members: int) -> Content:
        found = Content(
            self._kind,
            tables=tuple(ranked(self.tables)),
            paper=self._paper,
            parts=tuple(self._parts),
            inner=tuple(sorted(self._kinds)),
            detail=f"an archive of {members:,} file{'' if members == 1 else 's'}",
        )
        failed = next((part for part in self._parts if part.trouble is not None), None)
        if failed is None or self.tables:
            return found
        return replace(found, trouble=failed.trouble, detail=f"{failed.name}: {failed.detail}")

    def _take(self, name: str, content: Content) -> None:
        self._kinds |= {content.kind, *content.inner}
        if content.trouble is Trouble.BOMB:
            raise Unreadable(Trouble.BOMB, f"{name}: {content.detail}")
        for table in content.tables:
            self._cells += table.frame.size
            inside = f"{name}!{table.name}" if table.name else name
            self.tables.append(replace(table, name=inside))
        for part in content.parts:
            self._add(replace(part, name=f"{name}!{part.name}"))
        has_trouble = any(part.trouble is not None for part in content.parts)
        if not content.tables and not has_trouble:
            self._add(Part(name, content.kind, content.trouble, content.detail))
        if sum(part.trouble is Trouble.TOO_DEEP for part in self._parts) > 1:
            raise Unreadable(Trouble.BOMB, "it holds archives within archives within archives")
        self._paper = self._paper or content.paper

    def _add(self, part: Part) -> None:
        # Troubles are never crowded out by files that were only passed over.
        if part.trouble is not None or len(self._parts) < _MAX_PARTS:
            self._parts.append(part)


def _left(bounds: Bounds, tables: int, cells: int) -> Bounds:
    return replace(
        bounds,
        nesting=bounds.nesting - 1,
        tables=max(0, bounds.tables - tables),
        cells=bounds.cells - cells,
    )


def _wanted(members: Sequence[Member], name: str) -> Member:
    found = next((member for member in members if member.name == name), None)
    if found is None:
        raise NotATable(f"the archive holds no '{shown(name)}', but {_listed(members)}")
    return found


def _listed(members: Sequence[Member]) -> str:
    names = ", ".join(shown(member.name) for member in members[:10])
    return f"{names}, ..." if len(members) > 10 else names or "nothing"


def _is_for_people(name: str) -> bool:
    last = name.lower().replace("\\", "/").rpartition("/")[2]
    return last.endswith(_FOR_PEOPLE) or last.startswith(_NAMES_FOR_PEOPLE)


def _is_left_by_system(name: str) -> bool:
    return name.lower().startswith(_LEFT_BY_SYSTEMS[0]) or name.lower().endswith(
        _LEFT_BY_SYSTEMS[1:]
    )
