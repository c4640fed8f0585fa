"""Files that a strategy needs beside pages, such as style sheets: fetched like everything else.

They obey scope, robots.txt, pace and budget, and each is one step. They are neither pages nor
targets: nothing of them is kept but what the strategy makes of them.
"""

from dataclasses import replace

from crawler.engine.answers import is_redirect, is_success, redirect_target
from crawler.engine.ledger import Ledger
from crawler.engine.rules import Rules
from crawler.engine.task import Purpose, Task
from crawler.pages.mime_groups import HTML_TYPES
from crawler.pages.scope import Place
from crawler.strategies.interface import Candidate, Strategy, SupportingFile, WantsFiles
from crawler.web.messages import Decision, Head, Reply

MAX_HOPS = 5
_READABLE = {"", "text/css", *HTML_TYPES}


class SupportingFiles:
    """Asks for what the strategy wants, and hands it over; nothing where it cannot be had."""

    def __init__(self, ledger: Ledger, strategy: Strategy, rules: Rules) -> None:
        self._ledger = ledger
        self._strategy = strategy if isinstance(strategy, WantsFiles) else None
        self._rules = rules

    def next_task(self) -> Task | None:
        """The next file that is wanted and may be asked for."""
        if self._strategy is None:
            return None
        while (url := self._strategy.wanted()) is not None:
            if self._may_ask(url):
                return Task(Candidate(0, url, 0, tag_path=""), Purpose.SUPPORTING)
            self._strategy.take_file(SupportingFile())
        return None

    def decide(self, head: Head) -> Decision:
        """A style sheet or a page is read; anything else is not what was wanted."""
        media_type = head.content_type.partition(";")[0].strip().lower()
        return Decision.READ if media_type in _READABLE else Decision.DROP

    def receive(self, task: Task, reply: Reply) -> None:
        """Take in the answer; hops are followed within the site."""
        self._ledger.outcome = "supporting"
        if is_redirect(reply):
            target = redirect_target(task.link.url, reply)
            if target is not None and task.hops < MAX_HOPS and self._may_ask(target):
                task.link = replace(task.link, url=target)
                task.hops, task.attempts, task.wait = task.hops + 1, 0, 0.0
                return
        if is_success(reply) and reply.decision is Decision.READ and reply.head is not None:
            self._hand_over(task, reply.body, reply.head.content_type)
        else:
            self.forbidden(task)

    def forbidden(self, task: Task) -> None:
        """It cannot be had; the strategy does without."""
        self._hand_over(task, b"", "")

    def _hand_over(self, task: Task, body: bytes, content_type: str) -> None:
        self._ledger.task = None
        if self._strategy is not None:
            self._strategy.take_file(SupportingFile(task.link.url, body, content_type))

    def _may_ask(self, url: str) -> bool:
        return self._rules.scope.place(url) in {Place.SITE, Place.FILE_HOST}
