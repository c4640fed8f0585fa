"""SB-CLASSIFIER: what it asks, fetches, queues and selects (paper 000, Section III)."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from crawler.pages.mime import UrlClass
from crawler.state.records import ActionRow, ArmRow, Changes
from crawler.strategies.interface import Candidate, Placement
from crawler.strategies.sleeping_bandit import SleepingBanditStrategy
from tests.strategies.saved_crawl import SavedCrawl, candidate

B = 6
DATA = "html body div#content ul.datasets li a"
NEWS = "html body aside.news p span a.more"


def make(**changes: float) -> SleepingBanditStrategy:
    parameters = {"n": 2, "theta": 0.75, "alpha": 8**0.5, "m": 10, "w": 13, "b": B}
    parameters |= {"max_actions": 5000, "seed": 1} | changes
    return SleepingBanditStrategy(**parameters)  # type: ignore[arg-type]


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[SavedCrawl]:
    crawl = SavedCrawl(tmp_path / "state.sqlite")
    yield crawl
    crawl.close()


def page(number: int) -> Candidate:
    return candidate(number, NEWS, f"https://stat.example/news/{number}.html")


def file(number: int) -> Candidate:
    return candidate(number, DATA, f"https://stat.example/data/{number}.csv")


def train(strategy: SleepingBanditStrategy, batches: int = 1) -> None:
    """Files and pages in turn, until so many batches are full."""
    for number in range(batches * B // 2):
        strategy.learn(file(number), UrlClass.TARGET)
        strategy.learn(page(number), UrlClass.HTML)
        strategy.place([page(number)])


def rows(strategy: SleepingBanditStrategy, saved: SavedCrawl) -> dict[str, ActionRow]:
    """The actions after this step, by their example path."""
    saved.commit(strategy)
    return {row.path: row for row in saved.actions()}


def test_first_epoch_asks_for_one_link_at_a_time() -> None:
    strategy = make()
    assert strategy.place([file(1), page(2), page(3)]) == [Placement.ASK]
    assert strategy.place([page(3)]) == [Placement.ASK]


def test_first_epoch_ends_after_b_labelled_urls() -> None:
    strategy = make()
    for number in range(B - 1):
        strategy.learn(page(number), UrlClass.HTML)
        assert strategy.place([page(90), file(91)]) == [Placement.ASK]
    strategy.learn(file(80), UrlClass.TARGET)
    placed = strategy.place([page(90), file(91)])
    assert len(placed) == 2
    assert Placement.ASK not in placed


def test_urls_of_class_neither_never_enter_the_training() -> None:
    strategy = make()
    for number in range(3 * B):
        logo = Candidate(0, f"https://stat.example/logo/{number}.svg", 1, "html a")
        strategy.learn(logo, UrlClass.NEITHER)
    assert strategy.place([page(1)]) == [Placement.ASK]
    assert strategy.progress()["batch"] == []
    train(strategy, 4)
    opinion = strategy.opinion
    for number in range(3 * B):
        logo = Candidate(0, f"https://stat.example/logo/{number}.svg", 1, "html a")
        strategy.learn(logo, UrlClass.NEITHER)
    assert strategy.opinion == opinion


def test_after_b_refusals_no_more_is_asked_and_everything_is_queued() -> None:
    strategy = make()
    for _ in range(B - 1):
        strategy.head_refused()
        assert strategy.place([file(1), page(2)]) == [Placement.ASK]
    strategy.head_refused()
    assert strategy.place([file(1), page(2)]) == [Placement.QUEUE, Placement.QUEUE]


def test_where_head_is_refused_the_classifier_learns_from_gets_alone() -> None:
    strategy = make()
    for _ in range(B):
        strategy.head_refused()
    train(strategy, 10)
    assert strategy.place([file(901), page(902)]) == [Placement.FETCH, Placement.QUEUE]


def test_some_refusals_do_not_end_the_first_epoch() -> None:
    strategy = make()
    for number in range(B - 1):
        strategy.head_refused()
        strategy.learn(page(number), UrlClass.HTML)
    assert strategy.place([page(90)]) == [Placement.ASK]
    strategy.learn(file(80), UrlClass.TARGET)
    assert strategy.place([page(90)]) != [Placement.ASK]


def test_predicted_targets_are_fetched_and_others_queued() -> None:
    strategy = make()
    train(strategy, 10)
    assert strategy.place([file(901), page(902), page(903), file(904)]) == [
        Placement.FETCH,
        Placement.QUEUE,
        Placement.QUEUE,
        Placement.FETCH,
    ]
    assert strategy.place([]) == []


def test_opinion_changes_with_every_batch_and_not_in_between() -> None:
    strategy = make()
    opinions = [strategy.opinion]
    for number in range(3 * B):
        strategy.learn(page(number), UrlClass.HTML)
        opinions.append(strategy.opinion)
        strategy.place([page(900)])
        assert strategy.opinion == opinions[-1]
    batches = [set(opinions[start : start + B]) for start in range(0, 3 * B, B)]
    assert [len(batch) for batch in batches] == [1, 1, 1]
    assert len(set(opinions)) == 4


def test_opinion_changes_when_head_is_refused_for_good() -> None:
    strategy = make()
    opinions = [strategy.opinion]
    for _ in range(B + 3):
        strategy.head_refused()
        opinions.append(strategy.opinion)
    assert len(set(opinions[:B])) == 1
    assert len(set(opinions[B:])) == 1
    assert opinions[0] != opinions[-1]


def test_links_of_one_page_are_grouped_by_tag_path_in_order_of_first_appearance() -> None:
    strategy = make()
    strategy.queue([candidate(1, NEWS), candidate(2, DATA), candidate(3, NEWS), candidate(4, DATA)])
    changes = Changes()
    strategy.save(changes)
    assert [(row.id, row.path) for row in changes.actions] == [(0, NEWS), (1, DATA)]
    slots = [(update.id, update.action, update.slot) for update in changes.updates]
    assert slots == [(1, 0, 0), (3, 0, 1), (2, 1, 0), (4, 1, 1)]


def test_every_link_of_a_path_counts_in_its_action() -> None:
    # Two links of one path and two single ones are the same to an action.
    together, singly = make(), make()
    together.queue([candidate(1, DATA), candidate(2, DATA)])
    saved_once, saved_twice, saved_together = Changes(), Changes(), Changes()
    singly.queue([candidate(1, DATA)])
    singly.save(saved_once)
    singly.queue([candidate(2, DATA)])
    singly.save(saved_twice)
    together.save(saved_together)
    assert saved_together.actions == saved_twice.actions
    once, twice = (
        np.frombuffer(changes.actions[0].sums, dtype=np.float32)
        for changes in (saved_once, saved_twice)
    )
    assert twice.tolist() == (2 * once).tolist()


def test_similar_paths_share_an_action_and_its_example_is_the_first(saved: SavedCrawl) -> None:
    strategy = make()
    # Eight n-grams against nine, of which seven are the same: a cosine of 0.82.
    first, second = "html body div main div ul li a", "html body div main div ul li p a"
    strategy.queue([candidate(1, first), candidate(2, second), candidate(3, NEWS)])
    assert list(rows(strategy, saved)) == [first, NEWS]


def test_selection_names_the_link_and_its_action_and_counts(saved: SavedCrawl) -> None:
    strategy = make()
    strategy.queue([candidate(1, DATA)])
    selection = strategy.next_link(1)
    assert selection is not None
    assert (selection.link, selection.action) == (1, 0)
    assert rows(strategy, saved)[DATA].selections == 1


def test_action_sleeps_when_its_links_are_gone_and_wakes_with_new_ones() -> None:
    strategy = make()
    strategy.queue([candidate(1, DATA)])
    assert strategy.next_link(1) is not None
    assert strategy.next_link(2) is None
    strategy.queue([candidate(2, DATA)])
    selection = strategy.next_link(3)
    assert selection is not None
    assert (selection.link, selection.action) == (2, 0)


def test_every_link_is_taken_once() -> None:
    strategy = make()
    strategy.queue([candidate(number, DATA if number % 3 else NEWS) for number in range(1, 61)])
    taken = [strategy.next_link(t) for t in range(1, 61)]
    assert sorted(selection.link for selection in taken if selection) == list(range(1, 61))
    assert strategy.next_link(61) is None


def test_links_of_the_chosen_action_are_equally_likely() -> None:
    strategy = make()
    counts: Counter[int] = Counter()
    for t in range(3_000):
        strategy.queue([candidate(number, DATA) for number in range(1, 7)])
        selection = strategy.next_link(t)
        assert selection is not None
        counts[selection.link] += 1
        while strategy.next_link(t) is not None:
            pass
    # Chi-square with 5 degrees of freedom is over 20.5 in one case of a thousand.
    assert sum((counts[number] - 500) ** 2 / 500 for number in range(1, 7)) < 20.5


def test_reward_goes_to_the_action_that_was_selected(saved: SavedCrawl) -> None:
    strategy = make()
    strategy.queue([candidate(1, DATA), candidate(2, NEWS)])
    first = strategy.next_link(1)
    assert first is not None
    # The page's own links are mapped before its reward is known; they do not take it.
    strategy.queue([candidate(3, NEWS), candidate(4, NEWS)])
    strategy.reward(first.action, 3)
    found = rows(strategy, saved)
    assert (found[DATA].selections, found[DATA].reward) == (1, 3.0)
    assert (found[NEWS].selections, found[NEWS].reward) == (0, 0.0)


def test_action_that_leads_to_targets_is_selected_more_often() -> None:
    strategy = make()
    strategy.queue([candidate(number, NEWS) for number in range(1, 101)])
    strategy.queue([candidate(number, DATA) for number in range(101, 201)])
    selections: Counter[int] = Counter()
    for t in range(1, 81):
        selection = strategy.next_link(t)
        assert selection is not None
        strategy.reward(selection.action, 5 if selection.link > 100 else 0)
        selections[selection.action] += 1
    assert selections[1] > 4 * selections[0] > 0


def test_action_of_dead_links_does_not_stay_attractive() -> None:
    strategy = make()
    strategy.queue([candidate(number, NEWS) for number in range(1, 101)])
    strategy.queue([candidate(number, DATA) for number in range(101, 201)])
    # Neither ever gets a reward: selections alone must balance them.
    selections = [strategy.next_link(t) for t in range(2, 42)]
    counts = Counter(selection.action for selection in selections if selection)
    assert counts == {0: 20, 1: 20}


def test_page_taken_for_a_target_counts_as_a_selection_of_its_own_action(saved: SavedCrawl) -> None:
    strategy = make()
    strategy.queue([candidate(1, DATA)])
    rows(strategy, saved)
    assert strategy.adopt(candidate(2, DATA)) == 0
    assert strategy.adopt(candidate(3, NEWS)) == 1
    strategy.reward(1, 2)
    found = rows(strategy, saved)
    assert (found[DATA].selections, found[DATA].reward) == (1, 0.0)
    assert (found[NEWS].selections, found[NEWS].reward) == (1, 2.0)


def test_adopted_page_moves_the_centroid_and_does_not_enter_the_frontier(saved: SavedCrawl) -> None:
    strategy = make()
    strategy.adopt(candidate(1, DATA))
    before = rows(strategy, saved)[DATA]
    strategy.adopt(candidate(2, DATA))
    assert rows(strategy, saved)[DATA].square == pytest.approx(4 * before.square)
    assert strategy.next_link(5) is None


def test_at_most_max_actions() -> None:
    strategy = make(theta=1.0, max_actions=3)
    strategy.queue([candidate(number, f"html div#d{number} a") for number in range(1, 51)])
    changes = Changes()
    strategy.save(changes)
    assert sorted({row.id for row in changes.actions}) == [0, 1, 2]
    assert len(changes.updates) == 50
    assert {update.action for update in changes.updates} == {0, 1, 2}


def test_what_did_not_change_is_not_saved_again(saved: SavedCrawl) -> None:
    strategy = make()
    train(strategy)
    links = [candidate(1, DATA), candidate(2, NEWS)]
    strategy.queue(links)
    saved.commit(strategy, links)
    nothing = Changes()
    strategy.save(nothing)
    assert nothing == Changes()
    strategy.reward(1, 1)
    little = Changes()
    strategy.save(little)
    rewarded = {"rewarded 1": (1).to_bytes(8, "little")}
    assert little == Changes(arms=[ArmRow(1, 0, 1.0)], memory=rewarded)


def test_reloaded_strategy_has_nothing_to_save(saved: SavedCrawl) -> None:
    strategy, reloaded = make(), make()
    train(strategy)
    links = [candidate(1, DATA), candidate(2, NEWS)]
    strategy.queue(links)
    saved.commit(strategy, links)
    saved.load_into(reloaded)
    nothing = Changes()
    reloaded.save(nothing)
    assert nothing == Changes()
    assert reloaded.progress() == strategy.progress()
