"""The words and filters that the commands about a search have in common."""

from typing import Annotated

import typer

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
