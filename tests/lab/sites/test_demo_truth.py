"""The lists of pages and files that the site gives of itself are what its links lead to."""

import statistics

import pytest

from crawler.lab.sites.demo import demo_site


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pages", "seed"), [(600, 1), (600, 2), (60, 1), (60, 9), (1, 3), (150, 4)]
)
def test_every_page_and_file_is_reached_by_links_and_no_other(walk, pages, seed):
    site = demo_site(pages, seed)
    seen = walk(site)
    listed_pages, listed_targets = list(site.page_paths()), list(site.target_paths())
    assert len(listed_pages) == len(set(listed_pages))
    assert len(listed_targets) == len(set(listed_targets))
    assert set(listed_pages) == seen.pages
    assert set(listed_targets) == seen.targets


@pytest.mark.slow
@pytest.mark.parametrize("unique_ids", [False, True])
def test_a_larger_site_is_reached_whole(walk, unique_ids):
    site = demo_site(3000, 6, unique_ids=unique_ids)
    seen = walk(site)
    assert set(site.page_paths()) == seen.pages
    assert set(site.target_paths()) == seen.targets


@pytest.mark.parametrize("pages", [600, 3000, 20_000])
def test_the_site_has_about_as_many_pages_as_asked(pages):
    assert sum(1 for _ in demo_site(pages).page_paths()) == pytest.approx(pages, rel=0.02)


def test_the_default_site_has_about_300_files(site):
    assert 250 <= sum(1 for _ in site.target_paths()) <= 350


def test_over_half_of_the_pages_link_to_no_file(walked):
    files = walked.targets | {path for path in walked.redirects if path.startswith("/r/file/")}
    without = [page for page, links in walked.links.items() if not files.intersection(links)]
    assert len(without) > len(walked.links) / 2


def test_files_lie_deep_and_pages_without_data_lie_as_shallow(walked):
    files = [walked.depth[path] for path in walked.targets]
    news = [walked.depth[path] for path in walked.pages if "/news/" in path or "/press/" in path]
    assert min(files) >= 3
    assert statistics.median(files) >= 4
    assert max(files) >= 6
    assert statistics.median(news) <= statistics.median(files)


def test_both_languages_have_the_same_pages_and_share_the_files(walked):
    by_language = {
        lang: [path for path in walked.pages if path.startswith(f"/{lang}/")]
        for lang in ("en", "fr")
    }
    assert len(by_language["en"]) == len(by_language["fr"])
    linked = {
        lang: {link for path in paths for link in walked.links[path]} & walked.targets
        for lang, paths in by_language.items()
    }
    assert linked["en"] == linked["fr"] != set()


def test_forbidden_pages_and_files_are_linked_but_not_part_of_the_truth(site, walked):
    listed = set(site.target_paths()) | set(site.page_paths())
    assert any(path.endswith(".csv") for path in walked.forbidden)
    assert "/internal/" in walked.forbidden
    assert not listed & walked.forbidden
    assert {site.respond(path).status for path in walked.forbidden} == {200}
