"""Reasons in plain words: why a URL was skipped, why a crawl stopped."""

from crawler.config.limits import Budget
from crawler.config.sizes import write_size
from crawler.pages.reasons import SkipReason
from crawler.state.stop import StopReason

SKIP_WORDS = {
    SkipReason.OFF_SITE: "it belongs to another website",
    SkipReason.EXCLUDED: "the site file's scope leaves it out",
    SkipReason.MEDIA: "its extension is that of an image, a film, a style sheet or the like",
    SkipReason.ROBOTS: "robots.txt forbids it",
    SkipReason.ROBOTS_UNAVAILABLE: "robots.txt of its server gave no usable answer",
    SkipReason.TOO_DEEP: "it is more links from the start than limits.depth allows",
    SkipReason.URL_TOO_LONG: "its URL is longer than limits.traps.url_length allows",
    SkipReason.REPEATING_PATH: "its path repeats itself, as in a trap",
    SkipReason.PARAMETER_TRAP: "too many URLs like it differ in parameters only and gave no file",
    SkipReason.CALENDAR_TRAP: "it is one of a long run of dates without a file, or far ahead",
    SkipReason.IDLE_PARAMETER: "it is a known page with a parameter that changes nothing there",
    SkipReason.MORE_OF_THE_SAME: "page after page like it led to nothing but more of the same",
    SkipReason.TOO_MANY_URLS: "the crawl knows limits.known_urls URLs already",
    SkipReason.POISONOUS: "reading its answer twice ended the process, or took too much memory",
    SkipReason.DEAD: "the server says that it is not there or not for us (4xx)",
    SkipReason.SERVER_ERROR: "the server failed (429 or 5xx), also after the retries",
    SkipReason.NO_ANSWER: "no complete answer came, also after the retries",
    SkipReason.TOO_SLOW: "the answer took longer than limits.request_minutes allows",
    SkipReason.TOO_LARGE: "the file is larger than limits.file_bytes allows",
    SkipReason.PRIVATE_ADDRESS: "its host is in a private network",
    SkipReason.REDIRECT_LOOP: "it redirects in a circle, or too many times",
    SkipReason.REDIRECT_KNOWN: "it redirects to a URL that is known already",
    SkipReason.REDIRECT_OFF_SITE: "it redirects to another website, or out of the scope",
    SkipReason.BAD_REDIRECT: "it redirects to nowhere",
    SkipReason.OTHER_TYPE: "it is neither a page nor one of the site's targets",
    SkipReason.BAD_URL: "its URL cannot be requested",
}
"""The rest of a sentence that ends with the reason."""

_AGAIN = "run it again to continue"


def counted(number: int, noun: str) -> str:
    """'1 file', '20,000 files'."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def skip_words(reason: str) -> str:
    """A few words for a reason as the state keeps it."""
    known = SkipReason.__members__.values()
    return SKIP_WORDS[SkipReason(reason)] if reason in known else reason


def stop_reason_of(text: str) -> StopReason | None:
    """The stop reason of a recorded run; None when it broke off without one."""
    return StopReason(text) if text in set(StopReason) else None


def stop_sentence(reason: StopReason, detail: str = "", budget: Budget | None = None) -> str:
    """Why a run ended; with its budget, how much that was."""
    match reason:
        case StopReason.FRONTIER_EMPTY:
            return "every link was followed"
        case StopReason.YIELD_EXHAUSTED:
            if detail:
                return f"{detail}, so early stopping ended it"
            return "hardly anything new came for a long while, so early stopping ended it"
        case StopReason.BUDGET_REQUESTS:
            return f"the budget of {_requests(budget)} is spent; {_AGAIN}"
        case StopReason.BUDGET_BYTES:
            size = write_size(budget.bytes) if budget and budget.bytes else "bytes"
            return f"the budget of {size} is spent; {_AGAIN}"
        case StopReason.BUDGET_MINUTES:
            return f"the budget of {_minutes(budget)} is spent; {_AGAIN}"
        case StopReason.DISK_FULL:
            return (
                f"the disk is nearly full ({detail or 'too little room'}); make room, then {_AGAIN}"
            )
        case StopReason.INTERRUPTED:
            return f"it was interrupted; its state is saved, {_AGAIN}"
        case StopReason.SLICE_ENDED:
            return "its slice of time ended; it is resumed in the next one"
        case StopReason.FORBIDDEN:
            return detail or "robots.txt does not let us in"
        case StopReason.UNREACHABLE:
            return detail or "the site does not answer"


def _requests(budget: Budget | None) -> str:
    return "requests" if budget is None else counted(budget.requests, "request")


def _minutes(budget: Budget | None) -> str:
    if budget is None:
        return "minutes"
    return "1 minute" if budget.minutes == 1 else f"{budget.minutes:,g} minutes"
