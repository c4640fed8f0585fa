"""A live crawl has no oracle: strategies that need one are refused before anything is touched."""

import pytest

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyConfig, StrategyName
from crawler.errors import ConfigError, ExitCode
from crawler.pipeline.crawl.acquire import acquire


@pytest.mark.parametrize("name", [name for name in StrategyName if name.needs_oracle])
def test_strategy_of_the_lab_is_refused_and_leaves_no_state_behind(tmp_path, name):
    site = SiteConfig(start_url="http://127.0.0.1:9/", name="here", allow_private_hosts=True)
    chosen = site.model_copy(update={"strategy": StrategyConfig(name=name)})
    home = tmp_path / "home"
    with pytest.raises(ConfigError, match=f"strategy {name} .* tallyho lab compare") as raised:
        acquire(chosen, Settings(home=home))
    assert raised.value.exit_code is ExitCode.CONFIG
    assert not home.exists()
