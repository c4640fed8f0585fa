"""Clusters of sampled pages (paper 002, Section 3.2), and the worked example of Section 3.1."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pytest

from crawler.learning.pattern_selection import PatternScores, select_patterns
from crawler.learning.site_graph import Cluster, SiteGraph, Vertex, path_to

Links = Sequence[tuple[int, int]]
"""Label and page of every link."""


def graph_of(
    links: Mapping[int, Links], items: Mapping[int, Iterable[int]] | None = None, root: int = 1
) -> SiteGraph:
    """Pages with their links; every page has an item of its own where none are given."""
    graph = SiteGraph()
    pages = sorted(set(links) | {page for shown in links.values() for _, page in shown})
    for page in pages:
        shown = links.get(page, ())
        has = [page] if items is None else sorted(items.get(page, ()))
        graph.add(
            page,
            Vertex(
                page,
                page == root,
                np.array(has, dtype=np.uint32),
                np.array([label for label, _ in shown], dtype=np.uint32),
                np.array([target for _, target in shown], dtype=np.uint32),
            ),
        )
    return graph


def shown(clusters: list[Cluster]) -> dict[str, list[int]]:
    """Pages by the labels that lead to them, such as `1 4+`."""
    names = {}
    for cluster in clusters[1:]:
        path = path_to(clusters, cluster.number)
        name = " ".join(f"{each.label}{'+' * each.repeats}" for each in path)
        names[name] = sorted(cluster.pages)
    return names


def test_destinations_that_share_a_label_are_one_cluster():
    graph = graph_of({1: [(1, 2), (1, 3), (2, 4)], 2: [(3, 5)], 3: [(3, 6)]})
    assert shown(graph.clusters(3, 3)) == {"1": [2, 3], "2": [4], "1 3": [5, 6]}


def test_label_that_is_followed_again_leads_to_pages_of_the_same_cluster():
    flipping = {1: [(1, 2)], 2: [(1, 3), (2, 7)], 3: [(1, 4), (2, 8)]}
    assert shown(graph_of(flipping).clusters(3, 3)) == {"1+": [2, 3, 4], "1+ 2": [7, 8]}


def test_repetitions_are_bounded():
    flipping = {page: [(1, page + 1)] for page in range(1, 9)}
    assert shown(graph_of(flipping).clusters(3, 3)) == {"1+": [2, 3, 4]}
    assert shown(graph_of(flipping).clusters(3, 5)) == {"1+": [2, 3, 4, 5, 6]}
    assert shown(graph_of(flipping).clusters(3, 1)) == {"1": [2]}


def test_link_to_a_page_that_is_not_sampled_shows_that_a_label_repeats():
    flipping = {1: [(1, 2), (2, 4)], 2: [(1, 3), (3, 5)]}
    graph = graph_of(flipping)
    del graph.vertices[3]
    del graph.vertices[5]
    assert shown(graph.clusters(3, 3, waiting=[3, 5])) == {"1+": [2], "2": [4]}
    assert shown(graph.clusters(3, 3, waiting=[5])) == {"1": [2], "2": [4]}
    assert shown(graph.clusters(3, 1, waiting=[3])) == {"1": [2], "2": [4]}


def test_link_to_the_page_itself_or_to_the_start_is_no_repetition():
    graph = graph_of({1: [(1, 2), (1, 3)], 2: [(1, 2)], 3: [(1, 1)]})
    assert shown(graph.clusters(3, 3)) == {"1": [2, 3]}


def test_menu_that_every_page_shows_is_one_cluster():
    menu = [(1, 2), (1, 3)]
    graph = graph_of({1: menu, 2: [*menu, (2, 4)], 3: [*menu, (2, 5)], 4: menu, 5: menu})
    assert shown(graph.clusters(3, 3)) == {"1+": [2, 3], "1+ 2": [4, 5]}


def test_page_belongs_to_the_shortest_way_that_leads_to_it():
    graph = graph_of({1: [(1, 2), (2, 3)], 2: [(3, 3), (3, 4)]})
    assert shown(graph.clusters(3, 3)) == {"1": [2], "2": [3], "1 3": [4]}


def test_page_with_the_items_of_another_counts_once():
    login = {4: [9, 10], 5: [9, 10], 6: [9, 10, 11]}
    graph = graph_of({1: [(1, 4), (1, 5), (2, 6)]}, login)
    clusters = graph.clusters(3, 3)
    assert [cluster.redundant for cluster in clusters] == [set(), {5}, set()]
    assert [PatternScores(graph, clusters).of(number).score for number in (1, 2)] == [2, 3]


def test_page_with_the_items_of_another_leads_on():
    graph = graph_of({1: [(1, 4), (1, 5)], 5: [(2, 6)]}, {4: [9], 5: [9], 6: [1, 2, 3]})
    assert shown(graph.clusters(3, 3)) == {"1": [4, 5], "1 2": [6]}


def test_pages_without_items_count_each():
    graph = graph_of({1: [(1, 4), (1, 5), (1, 6)]}, {6: [1, 2, 3]})
    assert PatternScores(graph, graph.clusters(3, 3)).of(1).score == 1


def test_patterns_have_as_many_steps_as_allowed():
    chain = {page: [(page, page + 1)] for page in range(1, 6)}
    assert shown(graph_of(chain).clusters(2, 3)) == {"1": [2], "1 2": [3]}


def test_page_that_a_redirection_led_to_is_found_by_the_link():
    graph = graph_of({1: [(1, 20)], 3: [(2, 4)]})
    del graph.vertices[20]
    moved = graph.vertices[3]
    graph.add(3, Vertex(20, False, moved.items, moved.labels, moved.targets))
    assert shown(graph.clusters(3, 3)) == {"1": [3], "1 2": [4]}


def test_vertex_reads_back():
    vertex = graph_of({1: [(7, 2), (8, 3)]}, {1: [5, 2**32 - 1]}).vertices[1]
    again = Vertex.decode(vertex.encode())
    assert (again.link, again.is_root) == (1, True)
    for name in ("items", "labels", "targets"):
        assert getattr(again, name).tolist() == getattr(vertex, name).tolist()
        assert getattr(again, name).dtype == np.uint32


# Section 3.1, Figure 4: l1 leads to p3 and p4, l2 to p2, l3 to p5, and l4 from p3 to p6.
L1, L2, L3, L4 = 1, 2, 3, 4
FIGURE_4 = {1: [(L2, 2), (L1, 3), (L1, 4), (L3, 5)], 3: [(L4, 6)]}
P3, P4 = range(3227), range(3227 - 159, 5107)
ITEMS = {
    2: range(10_000, 10_239),
    3: P3,
    4: P4,
    5: range(20_000, 20_754),
    6: range(5107 - 493, 7214),
}


@pytest.fixture
def example() -> SiteGraph:
    # Table 1: 5,266 2-grams on p3 and p4, 5,107 of them distinct; 7,866 and 7,214 with p6.
    assert len(P3) + len(P4) == 5266
    assert len(ITEMS[6]) == 2600
    return graph_of(FIGURE_4, ITEMS)


def test_table_1_has_these_patterns_scores_and_order(example):
    clusters = example.clusters(3, 3)
    assert shown(clusters).keys() == {"2", "1", "3", "1 4"}
    scores = PatternScores(example, clusters)
    rows = [scores.of(cluster.number) for cluster in clusters[1:]]
    rows.sort(key=lambda row: -row.score)
    assert [[cluster.label for cluster in row.path] for row in rows] == [[L1], [L1, L4], [L3], [L2]]
    assert [row.items for row in rows] == [5107, 7214, 754, 239]
    assert [round(row.score, 1) for row in rows] == [2553.5, 2404.7, 754, 239]


def test_pattern_is_scored_without_what_was_selected_before_it(example):
    selection = select_patterns(example, example.clusters(3, 3), completion=1.0)
    chosen = [[cluster.label for cluster in each.path] for each in selection.patterns]
    assert chosen == [[L1], [L1, L4], [L3], [L2]]
    assert [each.score for each in selection.patterns] == [2553.5, 7214 - 5107, 754, 239]
    assert selection.coverage == 1.0


def test_selection_ends_at_the_completion_ratio(example):
    selection = select_patterns(example, example.clusters(3, 3), completion=0.95)
    assert [each.path[-1].label for each in selection.patterns] == [L1, L4, L3]
    assert selection.coverage == pytest.approx(7968 / 8207)


def test_beginnings_of_a_selected_pattern_are_not_selected_any_more():
    graph = graph_of({1: [(1, 2)], 2: [(4, 3)]}, {2: [1], 3: range(1, 101)})
    selection = select_patterns(graph, graph.clusters(3, 3), completion=1.0)
    assert [[cluster.label for cluster in each.path] for each in selection.patterns] == [[1, 4]]
    assert selection.patterns[0].score == 50


def test_redundant_pattern_is_never_selected():
    # The same posts by tag and by year, each page with one word of its own layout.
    posts = {2: range(100), 3: range(100, 200), 4: [*range(100), 900], 5: [*range(100, 200), 900]}
    graph = graph_of({1: [(5, 2), (5, 3), (6, 4), (6, 5)]}, posts)
    selection = select_patterns(graph, graph.clusters(3, 3), completion=0.95)
    assert [each.path[-1].label for each in selection.patterns] == [6]
    assert select_patterns(graph, graph.clusters(3, 3), 1.0).coverage == 1.0


def test_nothing_is_selected_where_there_are_no_items():
    graph = graph_of({1: [(1, 2)], 2: [(2, 3)]}, {})
    assert select_patterns(graph, graph.clusters(3, 3), 0.95).patterns == ()
    assert select_patterns(SiteGraph(), SiteGraph().clusters(3, 3), 0.95).patterns == ()


@pytest.mark.parametrize("seed", range(5))
def test_selection_is_the_greedy_one_of_a_plain_implementation(seed):
    rng = np.random.default_rng(seed)
    links = {
        page: [(int(rng.integers(4)), int(target)) for target in rng.integers(2, 40, size=4)]
        for page in range(1, 40)
    }
    items = {page: rng.integers(0, 60, size=6).tolist() for page in range(1, 40)}
    graph = graph_of(links, {page: set(has) for page, has in items.items()})
    clusters = graph.clusters(3, 3)
    selected = select_patterns(graph, clusters, completion=1.0).patterns

    taken: set[int] = set()
    covered: set[int] = set()
    gone: set[int] = set()
    for pattern in selected:
        best = (0.0, 0)
        for cluster in clusters[1:]:
            path = path_to(clusters, cluster.number)
            pages = {p for each in path for p in each.pages} - taken
            counted = pages - {p for each in path for p in each.redundant}
            if cluster.number in gone or not counted:
                continue
            new = {item for page in pages for item in items[page]} - covered
            best = max(best, (len(new) / len(counted), -cluster.number))
        assert (pattern.score, -pattern.path[-1].number) == best
        for each in pattern.path:
            gone.add(each.number)
            taken.update(each.pages)
        covered.update(item for page in taken for item in items[page])
