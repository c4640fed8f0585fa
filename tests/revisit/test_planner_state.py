"""The planner's memory as JSON."""

import json

from crawler.revisit.planner_state import PlannerState, RatioArm, SourceCounts


def test_state_survives_json() -> None:
    state = PlannerState(
        seed=7,
        nights=12,
        last_night=1.5,
        arms=(RatioArm(0.6, 3, 2.5), RatioArm(1.0)),
        last_ratio=0.6,
        trained_night=11,
        weights=(0.1, -2.0, 1e-17),
        sources=(SourceCounts("https://example.org/sitemap.xml", 1, 2, 3),),
    )
    assert PlannerState.from_json(state.to_json()) == state
    assert PlannerState.from_json("{}") == PlannerState()


def test_keys_of_other_versions_are_left_out() -> None:
    text = json.dumps({**json.loads(PlannerState(seed=3).to_json()), "new": 1})
    assert PlannerState.from_json(text) == PlannerState(seed=3)
