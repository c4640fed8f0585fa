"""SB-CLASSIFIER after a restart: one strategy lives, the other is reloaded again and again."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Candidate, Placement
from crawler.strategies.sleeping_bandit import SleepingBanditStrategy
from tests.strategies.saved_crawl import SavedCrawl

Answer = TypeVar("Answer")

PLACES = ["ul.datasets li", "p", "nav#top div", "aside.news div.more", "table td", "footer#pié"]


class Twins:
    """Every call goes to both strategies, and both must answer the same."""

    def __init__(self, path: Path, **parameters: float) -> None:
        chosen = {"n": 2, "theta": 0.75, "alpha": 8**0.5, "m": 10, "w": 12, "b": 5}
        self._parameters = chosen | {"max_actions": 5000, "seed": 4} | parameters
        self._living, self._reloaded = self._make(), self._make()
        self.saved = SavedCrawl(path)
        self._found: list[Candidate] = []
        self._fetched: list[int] = []

    def _make(self) -> SleepingBanditStrategy:
        return SleepingBanditStrategy(**self._parameters)  # type: ignore[arg-type]

    def both(self, call: Callable[[SleepingBanditStrategy], Answer]) -> Answer:
        answer = call(self._living)
        assert call(self._reloaded) == answer
        return answer

    def found(self, links: list[Candidate]) -> None:
        self._found.extend(links)

    def fetched(self, link: int) -> None:
        self._fetched.append(link)

    def restart(self) -> None:
        """One of the two dies after its step, and a new one goes on from the file."""
        self.saved.commit(self._reloaded, self._found, self._fetched)
        self._found, self._fetched = [], []
        self._reloaded = self._make()
        self.saved.load_into(self._reloaded)
        self.both(lambda strategy: strategy.opinion)
        self.both(lambda strategy: strategy.progress()["refusals"])


class Script:
    """A random crawl: pages with links, answers to HEAD and GET, rewards; a restart at each."""

    def __init__(self, twins: Twins, seed: int, *, refusing: float = 0.1) -> None:
        self.twins = twins
        self.rng = random.Random(seed)
        self.refusing = refusing
        self.placed: Counter[Placement] = Counter()
        self.selected = 0
        self._urls: list[str] = ["https://stat.example/"]

    def run(self, steps: int) -> None:
        for t in range(1, steps + 1):
            action = self._select(t)
            reward = self._place(self._links())
            if action is not None:
                self._reward(action, reward)
            self.twins.restart()

    def drain(self) -> None:
        """Take what is left, without further restarts."""
        t = 1000
        while self._select(t) is not None:
            t += 1

    def _links(self) -> list[Candidate]:
        links = [self._link() for _ in range(self.rng.randrange(7))]
        self.twins.found(links)
        return links

    def _link(self) -> Candidate:
        number = len(self._urls)
        where = " ".join(self.rng.choices(PLACES, k=self.rng.randint(1, 3)))
        kind = self.rng.choice(["data/{}.csv", "datos/año-{}.xlsx", "news/{}.html", "node/{}"])
        url = "https://stat.example/" + kind.format(number)
        self._urls.append(url)
        return Candidate(number, url, 1, f"html body {where} a")

    def _select(self, t: int) -> int | None:
        selection = self.twins.both(lambda strategy: strategy.next_link(t))
        if selection is None:
            return None
        self.selected += 1
        self.twins.fetched(selection.link)
        url = self._urls[selection.link]
        self._learn(url, self._class_of(url))
        return selection.action

    def _place(self, links: list[Candidate]) -> int:
        """As the engine places the links of a page; the number of targets among them."""
        twins, targets = self.twins, 0
        while links:
            placements = twins.both(lambda strategy: strategy.place(links))  # noqa: B023
            first, placement = links[0], placements[0]
            self.placed[placement] += 1
            if placement is Placement.QUEUE:
                run = 1
                while run < len(placements) and placements[run] is Placement.QUEUE:
                    run += 1
                twins.both(lambda strategy: strategy.queue(links[:run]))  # noqa: B023
                links = links[run:]
                continue
            links = links[1:]
            if placement is Placement.ASK:
                self._ask(first)
            else:
                targets += self._fetch(first)
            twins.restart()
        return targets

    def _ask(self, link: Candidate) -> None:
        if self.rng.random() < self.refusing:
            self.twins.both(lambda strategy: strategy.head_refused())
        else:
            self._learn(link.url, self._class_of(link.url))
        self.twins.both(lambda strategy: strategy.queue([link]))

    def _fetch(self, link: Candidate) -> int:
        self.twins.fetched(link.id)
        url_class = self._class_of(link.url)
        self._learn(link.url, url_class)
        if url_class is UrlClass.HTML:
            action = self.twins.both(lambda strategy: strategy.adopt(link))
            self._reward(action, self.rng.randrange(3))
        return int(url_class is UrlClass.TARGET)

    def _learn(self, url: str, url_class: UrlClass) -> None:
        link = Candidate(0, url, 1, "html a")
        self.twins.both(lambda strategy: strategy.learn(link, url_class))

    def _reward(self, action: int, reward: int) -> None:
        self.twins.both(lambda strategy: strategy.reward(action, reward))

    def _class_of(self, url: str) -> UrlClass:
        if self.rng.random() < 0.05:
            return self.rng.choice(list(UrlClass))
        return UrlClass.TARGET if url.endswith((".csv", ".xlsx")) else UrlClass.HTML


@pytest.mark.parametrize("seed", range(4))
def test_strategy_reloaded_after_every_step_decides_as_the_living_one(
    tmp_path: Path, seed: int
) -> None:
    twins = Twins(tmp_path / "state.sqlite", seed=seed)
    script = Script(twins, seed)
    script.run(40)
    assert set(script.placed) == set(Placement)
    script.drain()
    assert script.selected > 40
    twins.saved.close()


def test_strategy_reloaded_where_head_is_refused_decides_as_the_living_one(tmp_path: Path) -> None:
    twins = Twins(tmp_path / "state.sqlite")
    script = Script(twins, seed=1, refusing=1.0)
    script.run(40)
    assert script.placed[Placement.ASK] == 5
    assert script.placed[Placement.FETCH] > 0
    script.drain()
    twins.saved.close()


@pytest.mark.parametrize("max_actions", [1, 3])
def test_strategy_reloaded_with_few_actions_decides_as_the_living_one(
    tmp_path: Path, max_actions: int
) -> None:
    twins = Twins(tmp_path / "state.sqlite", theta=0.95, max_actions=max_actions)
    script = Script(twins, seed=2)
    script.run(40)
    assert len(twins.saved.actions()) == max_actions
    script.drain()
    twins.saved.close()


def test_strategy_reloaded_with_a_closed_vocabulary_decides_as_the_living_one(
    tmp_path: Path,
) -> None:
    twins = Twins(tmp_path / "state.sqlite", m=4, w=5)
    script = Script(twins, seed=3)
    script.run(40)
    assert len(twins.saved.ngrams()) == 32
    script.drain()
    twins.saved.close()


def test_strategy_reloaded_with_thousands_of_actions_decides_as_the_living_one(
    tmp_path: Path,
) -> None:
    twins = Twins(tmp_path / "state.sqlite", theta=1.0)
    links = [
        Candidate(number, f"https://stat.example/{number}", 1, f"html body div#d{number} p a")
        for number in range(1, 2601)
    ]
    rng = random.Random(6)
    t = 1
    for start in range(0, len(links), 650):
        twins.found(links[start : start + 650])
        twins.both(lambda strategy, s=start: strategy.queue(links[s : s + 650]))
        twins.restart()
        for _ in range(30):
            selection = twins.both(lambda strategy, now=t: strategy.next_link(now))
            assert selection is not None
            twins.fetched(selection.link)
            reward = rng.randrange(4)
            twins.both(lambda strategy, s=selection, r=reward: strategy.reward(s.action, r))
            t += 1
        again = rng.sample(links[: start + 650], 50)
        for link in again:
            assert twins.both(lambda strategy, known=link: strategy.adopt(known)) >= 0
        twins.restart()
    assert len(twins.saved.actions()) > 2000
    twins.saved.close()
