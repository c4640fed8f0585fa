"""Sites to measure on, by the words that name them."""

import pytest

from crawler.errors import ConfigError
from crawler.lab.measured_site import open_measured_site
from crawler.lab.replicas.synthetic import write_synthetic
from crawler.lab.site_statistics import site_statistics
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite
from crawler.pages.mime import UrlClass


@pytest.fixture
def replica(tmp_path):
    path = tmp_path / "qa.replica.db"
    write_synthetic(SyntheticSite(KINDS["qa"], 150, 2), path)
    return path


@pytest.mark.parametrize("spec", ["demo:60", "demo-ids:60:4", "synth:be:150", "synth:ju:150:7"])
def test_synthetic_site_answers_its_start_page(spec):
    site = open_measured_site(spec)
    assert site.respond(site.start_url).status == 200
    assert site.url_class(site.start_url) is UrlClass.HTML
    assert 0 < site.targets() < site.available()
    assert site.volumes().target > 0
    assert site.volumes().other > 0


def test_replica_of_a_synthetic_site_is_measured_alike(replica):
    synthetic, read = open_measured_site("synth:qa:150:2"), open_measured_site(str(replica))
    assert site_statistics(read) == site_statistics(synthetic)
    assert (read.targets(), read.volumes()) == (synthetic.targets(), synthetic.volumes())
    assert read.name == synthetic.name
    read.close()


def test_size_and_seed_have_defaults():
    assert open_measured_site("demo").name == "demo-600-1"
    assert open_measured_site("demo-ids:90").name == "demo-ids-90-1"
    assert open_measured_site("synth:ok").name == "ok-4000-1"


def test_demo_knows_what_redirections_lead_to():
    site = open_measured_site("demo:60")
    assert site.respond(f"{site.start_url}en").status == 301
    assert site.url_class(f"{site.start_url}en") is UrlClass.HTML
    assert site.url_class(f"{site.start_url}nothing") is UrlClass.NEITHER
    assert site.respond("http://elsewhere.example/").status == 404


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("nowhere.db", "no such replica"),
        ("synth", "there is no kind ''"),
        ("synth:xx", "there is no kind 'xx'; there are: be, "),
        ("synth:be:many", "both whole numbers"),
        ("synth:be:²", "both whole numbers"),
        ("demo:0", "1 to 1,000,000 pages"),
        ("demo:2000000", "1 to 1,000,000 pages"),
        ("demo:60:1:1", "both whole numbers"),
    ],
)
def test_wrong_word_is_a_configuration_error_that_helps(spec, reason):
    with pytest.raises(ConfigError, match=reason):
        open_measured_site(spec)
