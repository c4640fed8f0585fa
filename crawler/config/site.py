"""A site file: everything that one website needs. `start_url` is all that is required."""

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from crawler.config.limits import Budget, Limits
from crawler.config.politeness import MIN_DELAY, Http, Politeness
from crawler.config.problem import did_you_mean
from crawler.config.revisit import RevisitConfig
from crawler.config.schedule import Schedule
from crawler.config.scope import ScopeConfig
from crawler.config.section import NAME_PATTERN, Line, Section, is_site_name
from crawler.config.strategy import EarlyStopping, StrategyChoice, TallyhoConfig
from crawler.config.validation import ValidationConfig
from crawler.config.web_address import WebUrl, is_private
from crawler.pages.mime import MimeRules
from crawler.pages.mime_groups import DEFAULT_TARGETS, TARGET_GROUPS


def _check_name(name: str, what: str = "site") -> str:
    if not is_site_name(name):
        raise ValueError(
            f"'{name[:80]}' cannot name a {what}; use small letters, digits, - and _ "
            "(at most 63, a letter or digit first)"
        )
    return name


def _check_lane(lane: str) -> str:
    return _check_name(lane, "lane") if lane else lane


def _check_target(target: str) -> str:
    if "/" in target:
        try:
            MimeRules([target])
        except ValueError:
            raise ValueError(f"'{target[:80]}' is not a MIME type") from None
        if target.lower() in ("text/html", "application/xhtml+xml"):
            raise ValueError("pages are what the crawler reads; they cannot be targets")
        return target.lower()
    if target not in TARGET_GROUPS:
        hint = did_you_mean(target, TARGET_GROUPS) or f"; groups are {', '.join(TARGET_GROUPS)}"
        raise ValueError(f"'{target[:80]}' is neither a group nor a MIME type{hint}")
    return target


def _switch(value: object) -> object:
    return EarlyStopping() if value is True else value


def _enabled(value: object) -> object:
    return {"enabled": value} if isinstance(value, bool) else value


Name = Annotated[
    str, Field(json_schema_extra={"pattern": NAME_PATTERN}), AfterValidator(_check_name)
]
Lane = Annotated[
    str, Field(json_schema_extra={"pattern": NAME_PATTERN}), AfterValidator(_check_lane)
]
Target = Annotated[str, AfterValidator(_check_target)]


class SiteConfig(Section):
    """One website and how to crawl it."""

    start_url: WebUrl
    """The page where the crawl starts; its host, with all subdomains, is the site."""

    name: Name = ""
    """What the site is called in commands, paths and DAG ids. The file's name by default."""

    title: Line = ""
    """What the site is called by people, such as the name of the statistics office."""

    publisher: Line = ""
    """Who publishes its data. It stands for files whose pages name no publisher."""

    licence: Line = ""
    """The licence of its data, best as a URL. It stands for files whose pages name none."""

    homepage: WebUrl = ""
    """Where people learn about the site; shown on its page and in the API."""

    enabled: bool = True
    """Whether the site is visited by its schedule; a command crawls it in any case."""

    schedule: Schedule = "@daily"
    """When the site is visited: a preset such as @daily or @weekly, or five fields of cron."""

    owner: Line = "tallyho"
    """Who is responsible for the site; the owner of its DAG."""

    tags: Annotated[tuple[Line, ...], Field(strict=False)] = ()
    """Tags of the site's DAG."""

    retries: int = Field(default=3, ge=0, le=20)
    """How often a task of the night is retried when network or storage fail."""

    lane: Lane = ""
    """The lane that crawls the site in Airflow: one task for all sites with this lane, so that each
    does not hold a worker that mostly waits. By default the site has a task of its own."""

    targets: Annotated[tuple[Target, ...], Field(strict=False, min_length=1)] = tuple(
        DEFAULT_TARGETS
    )
    """Which files to acquire: groups such as csv or excel, or MIME types (`*` is a wildcard)."""

    start_also: Annotated[tuple[WebUrl, ...], Field(strict=False)] = ()
    """More pages to start from."""

    allow_private_hosts: bool = Field(default=False, validate_default=True)
    """Whether requests to this machine or a private network are allowed."""

    budget: Budget = Budget()
    """What one run may cost."""

    politeness: Politeness = Politeness()
    """How the crawler behaves towards the server."""

    http: Http = Http()
    """How requests are sent."""

    limits: Limits = Limits()
    """What is too much for one request or one path."""

    revisit: RevisitConfig = RevisitConfig()
    """How the site is kept up to date."""

    scope: ScopeConfig = ScopeConfig()
    """Which URLs belong to the site."""

    strategy: StrategyChoice = TallyhoConfig()
    """How the next link is chosen: a name, or a mapping with the name and its parameters."""

    early_stopping: Annotated[
        Annotated[Literal[False], Tag("off")] | Annotated[EarlyStopping, Tag("on")],
        Discriminator(lambda value: "off" if value is False else "on"),
        BeforeValidator(_switch, json_schema_input_type=bool | EarlyStopping),
    ] = EarlyStopping()
    """Ends a crawl that finds hardly anything new; false crawls until the budget is spent."""

    validation: Annotated[
        ValidationConfig,
        BeforeValidator(_enabled, json_schema_input_type=bool | ValidationConfig),
    ] = ValidationConfig()
    """What is expected of the site's files; false leaves them unchecked."""

    seed: int = Field(default=0, ge=0, lt=2**32)
    """Seed of the random generator: the same seed takes the same decisions on the same site."""

    @field_validator("allow_private_hosts")
    @classmethod
    def _private_only_where_allowed(cls, allowed: bool, info: ValidationInfo) -> bool:
        urls = [info.data.get("start_url"), *info.data.get("start_also", ())]
        for url in urls:
            if url and is_private(url) and not allowed:
                raise ValueError(
                    f"{url[:80]} is on this machine or in a private network; "
                    "say 'allow_private_hosts: true' if that is meant"
                )
        return allowed

    @field_validator("politeness", mode="wrap")
    @classmethod
    def _polite_towards_others(
        cls, given: object, read: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> Politeness:
        start_url = info.data.get("start_url")
        public = bool(start_url) and not is_private(start_url or "")
        try:
            politeness: Politeness = read(given)
        except ValidationError as error:
            # All mistakes at once: who corrects these would meet the delay only then.
            others = [_as_made(detail) for detail in error.errors()]
            delay = given.get("delay") if isinstance(given, dict) else None
            short = isinstance(delay, int | float) and 0 <= delay < MIN_DELAY
            raise _problems([*others, *([_TOO_SHORT] if public and short else [])]) from None
        if public and politeness.delay < MIN_DELAY:
            raise _problems([_TOO_SHORT])
        return politeness


_TOO_SHORT = InitErrorDetails(
    type=PydanticCustomError("refused", f"must be at least {MIN_DELAY} s on a public site"),
    loc=("delay",),
    input=None,
)


def _problems(details: list[InitErrorDetails]) -> ValidationError:
    """Errors of fields inside the section that a validator looks at."""
    return ValidationError.from_exception_data("SiteConfig", details)


def _as_made(detail: ErrorDetails) -> InitErrorDetails:
    """An error as pydantic takes it back."""
    return InitErrorDetails(
        type=detail["type"], loc=detail["loc"], input=detail["input"], ctx=detail.get("ctx", {})
    )
