"""Arguments and options that several commands have."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Site = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A site, or a site file.")]
Id = Annotated[int, typer.Argument(metavar="ID", help="The number that search prints.")]
Requests = Annotated[
    int | None, typer.Option(min=1, help="Maximum requests of this run, of every kind.")
]


@contextmanager
def reported_as_usage(hint: str | None = None) -> Iterator[None]:
    """A ValueError becomes wrong usage of the command, of the option that `hint` names."""
    try:
        yield
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=hint) from None


def one_of(what: str, names: Collection[str]) -> Callable[[str | None], str | None]:
    """The callback of an argument or option that must be one of these names, or not given."""

    def check(name: str | None) -> str | None:
        if name is not None and name not in names:
            raise typer.BadParameter(
                f"there is no {what} '{name[:80]}'; there are: {', '.join(names)}"
            )
        return name

    return check


# Of commands about a search.

Words = Annotated[list[str] | None, typer.Argument(metavar="WORDS", help="What to look for.")]
SiteName = Annotated[str | None, typer.Option("--site", help="Only this site.")]
Format = Annotated[
    str | None, typer.Option("--format", help="csv, excel, ods, json, sdmx, pdf, ...")
]
Valid = Annotated[bool, typer.Option("--valid", help="Only files with the verdict valid.")]
Language = Annotated[str | None, typer.Option(help="en, fr, ...: of page or file.")]
Period = Annotated[
    str | None, typer.Option(help="Tables that cover this year, or these: 2019, 2015-2019.")
]
Place = Annotated[str | None, typer.Option(help="Tables that cover this place.")]
Publisher = Annotated[str | None, typer.Option(help="Only of this publisher.")]

# Of the lab.
MeasuredSites = Annotated[
    list[str],
    typer.Argument(
        metavar="SITE...",
        help="A replica's file, demo[:PAGES[:SEED]] or synth:KIND[:PAGES[:SEED]].",
    ),
]
NewReplica = Annotated[
    Path, typer.Option("--output", "-o", dir_okay=False, help="The replica to write.")
]
PlainNames = Annotated[
    bool, typer.Option("--plain-names", help="Take off the .html that a mirroring tool added.")
]
CsvOfRuns = Annotated[bool, typer.Option("--csv", help="Print one line of CSV per run.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Runs at a time; as many as processors by default.")
]
