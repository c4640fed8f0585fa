"""What a reading process finds in one file; small, and made of plain values that can be sent on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from crawler.config.validation import CellExpectation, RangeRule
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Trouble
from crawler.readers.kinds import Kind
from crawler.validation.facts import FileFacts
from crawler.validation.outcome import Check, Coverage, Profile
from crawler.validation.plain import plain

MAX_DETAIL = 300


@dataclass(frozen=True, slots=True)
class InspectionRequest:
    """What is to be found out of one file."""

    name: str = ""
    """Its address, or its name: tells the type it claims to have, and which rules are for it."""
    declared: str = ""
    """The MIME type that its server gave it."""
    bounds: Bounds = DEFAULT_BOUNDS
    required_columns: tuple[str, ...] = ()
    ranges: Mapping[str, RangeRule] = field(default_factory=dict)
    """By column."""
    cell_expectations: tuple[CellExpectation, ...] = ()
    previous: Profile | None = None
    """What was in the version before this one."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What one file is and what stands in it, before anybody judges it."""

    kind: Kind
    name: str = ""
    trouble: Trouble | None = None
    detail: str = ""
    """The trouble, or what the file is, in a sentence without a full stop."""
    facts: FileFacts = field(default_factory=FileFacts)
    profile: Profile = field(default_factory=Profile)
    coverage: Coverage = field(default_factory=Coverage)
    checks: tuple[Check, ...] = ()
    """Expectations of the site on the cells, which need the table itself."""


def inspect_file(path: Path, request: InspectionRequest) -> Inspection:
    """Reads a file and counts what is in it; what the file holds never makes it raise."""
    from crawler.readers.reading import read_content

    with path.open("rb") as stream:
        content = read_content(
            stream, name=request.name, declared=request.declared, bounds=request.bounds
        )
    return inspect_content(content, request)


def inspect_content(content: Content, request: InspectionRequest) -> Inspection:
    """The same for a file that was read already."""
    from crawler.validation.cells import check_cells
    from crawler.validation.counting import count_content
    from crawler.validation.coverage import coverage_of
    from crawler.validation.profile import describe

    described = describe(content, name=request.name, declared=request.declared)
    return Inspection(
        kind=content.kind,
        name=request.name,
        trouble=content.trouble,
        detail=plain(content.detail, MAX_DETAIL),
        facts=count_content(content, described, request),
        profile=described.profile,
        coverage=coverage_of([(table.profile, table.columns) for table in described.tables]),
        checks=check_cells(content.tables, request.cell_expectations),
    )
