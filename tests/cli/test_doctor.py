"""`tallyho doctor`: which layers hold a reader back on this machine."""

from typing import Any

from crawler.validation.cell import Layer, missing_layers


def test_every_layer_is_named_with_its_state(desk: Any) -> None:
    missing = {each.layer for each in missing_layers()}
    result = desk.run("doctor")
    assert result.exit_code == (7 if missing else 0)
    for layer in Layer:
        [line] = [line for line in result.stdout.splitlines() if line.startswith(layer.value)]
        assert ("missing" in line) == (layer in missing)
    told = desk.json("doctor") if not missing else {}
    assert not told or told["memory_of_all_readers"] >= 10**9
