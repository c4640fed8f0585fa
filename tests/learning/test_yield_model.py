"""What following a link is worth: learned from few examples, asked of what was published."""

import math

import numpy as np

from crawler.learning.link_features import Row, features_of
from crawler.learning.yield_model import AT_PAR, YieldModel


def row(url: str, tag_path: str = "html body a", action: int = 0) -> Row:
    return features_of(url, "", tag_path, action, -1)


def chance(model: YieldModel, link: Row) -> float:
    return float(model.chances(link[None])[0])


def worth(model: YieldModel, link: Row, number: int = AT_PAR) -> float:
    return float(model.worth(link[None], [number])[0])


FILE = row("https://stat.example/births.csv")
PAGE = row("https://stat.example/births")


def test_name_of_a_data_file_is_likely_a_target_from_the_start():
    model = YieldModel()
    assert chance(model, FILE) > 0.8
    assert chance(model, PAGE) < 0.2


def test_target_without_an_extension_is_learned_by_its_address():
    model = YieldModel()
    for number in range(20):
        word = "abcdefghijklmnopqrst"[number]
        model.learn_class(
            row(f"https://stat.example/download/{word}"), is_target=True, is_alive=True
        )
        model.learn_class(row(f"https://stat.example/news/{word}"), is_target=False, is_alive=True)
    model.publish()
    assert chance(model, row("https://stat.example/download/z")) > 0.5
    assert chance(model, row("https://stat.example/news/z")) < 0.3


def test_files_that_turn_out_to_be_dead_are_not_expected_any_more():
    model = YieldModel()
    for number in range(40):
        word = "abcdefghijklmnopqrst"[number % 20]
        model.learn_class(
            row(f"https://stat.example/lost/{word}.pdf"), is_target=False, is_alive=False
        )
    model.publish()
    assert chance(model, row("https://stat.example/lost/z.pdf")) < 0.3


def test_dead_links_lower_the_worth_of_their_like_and_nobody_elses():
    """Every page gives the same, but one folder is dead: what it might give as a page stays."""
    model = YieldModel()
    folder = [row(f"https://stat.example/old/{word}") for word in ("a", "b", "c", "d")]
    for _ in range(15):
        model.learn_yield(PAGE, 1.0)
        model.learn_class(PAGE, is_target=False, is_alive=True)
        for dead in folder:
            model.learn_class(dead, is_target=False, is_alive=False)
    model.publish()
    assert worth(model, PAGE) > 5 * worth(model, row("https://stat.example/old/z"))
    assert worth(model, row("https://stat.example/deaths")) > worth(YieldModel(), PAGE)


def test_answers_rest_on_what_was_published():
    model = YieldModel()
    before = worth(model, PAGE)
    model.learn_yield(PAGE, 3.0)
    model.learn_class(PAGE, is_target=True, is_alive=True)
    assert worth(model, PAGE) == before
    model.publish()
    assert worth(model, PAGE) > before


def test_of_pages_that_promise_as_much_the_one_found_first_is_worth_most():
    """What is added is the chance to be a file, and that does not depend on when it was found."""
    model = YieldModel()
    pages = [worth(model, PAGE, number) - chance(model, PAGE) for number in (1, 10, 10_000)]
    assert pages == sorted(pages, reverse=True)
    assert math.isclose(pages[1] / pages[2], 1000**0.1)
    assert worth(model, FILE, 10_000) > chance(model, FILE)


def test_start_page_without_a_number_is_worth_as_much_as_the_first_link():
    model = YieldModel()
    assert worth(model, PAGE, 0) == worth(model, PAGE, 1)


def test_link_is_worth_the_same_alone_and_among_others():
    model = YieldModel()
    rng = np.random.default_rng(1)
    rows = [row(f"https://stat.example/{a}/{b}") for a, b in rng.integers(0, 99, (200, 2))]
    for one in rows:
        model.learn_yield(one, float(rng.random()))
    model.publish()
    together = model.worth(np.stack(rows), range(200)).tolist()
    assert [worth(model, one, number) for number, one in enumerate(rows)] == together


def test_saved_model_goes_on_as_the_living_one():
    living, saved = YieldModel(), {}
    other = row("https://stat.example/other")
    for step in range(30):
        living.learn_class(PAGE, is_target=step % 3 == 0, is_alive=step % 2 == 0)
        living.learn_yield(other, step / 10)
        if step % 7 == 0:
            living.publish()
        saved |= {known.id: known for known in living.take_changed()}
    loaded = YieldModel()
    loaded.load(saved.values())
    assert worth(loaded, other) == worth(living, other)
    for model in (living, loaded):
        model.learn_yield(PAGE, 1.0)
        model.publish()
    assert worth(loaded, PAGE) == worth(living, PAGE)
    assert chance(loaded, PAGE) == chance(living, PAGE)
