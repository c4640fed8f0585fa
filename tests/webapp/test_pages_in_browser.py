"""The pages in a real browser: found, filtered, opened, read; by eye and by keyboard."""

from pathlib import Path

import pytest

from tests.webapp.browser import IN_BROWSER, PHONE, SCRIPTS, addresses
from tests.webapp.stock import CSV_NOW

pytestmark = IN_BROWSER


def test_search_filter_open_preview_download(base, open_page, shoot, complaints):
    page = open_page(accept_downloads=True)
    page.goto(base)
    page.get_by_label("What are you looking for?").fill("birth")
    page.get_by_label("Format").select_option("csv")
    page.get_by_role("button", name="Search").click()
    assert page.get_by_role("heading", name="1 dataset").is_visible()
    shoot(page, "found")
    page.get_by_role("article").get_by_role("link", name="Live births by region").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Live births by region"
    table = page.get_by_role("region", name="First rows")
    assert table.get_by_role("cell", name="<b>Süd</b>").is_visible()
    shoot(page, "dataset")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download CSV table").click()
    assert download.value.suggested_filename == "naissances-été.csv"
    assert Path(download.value.path()).read_bytes() == CSV_NOW
    assert complaints == []


def test_pages_work_without_javascript(base, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(base)
    page.get_by_label("Verdict").select_option("valid")
    page.get_by_role("button", name="Search").click()
    assert page.get_by_role("heading", name="1 dataset").is_visible()
    page.get_by_role("link", name="Clear").click()
    page.get_by_role("link", name="Next page").click()
    assert page.get_by_text("Page 2 of 2").is_visible()


def test_profile_checks_and_data_docs_of_a_file(base, stock, open_page, shoot, complaints):
    page = open_page()
    page.goto(f"{base}/files/{stock['births']}")
    columns = page.get_by_role("region", name="Columns of table 1")
    assert columns.get_by_role("row", name="year integer time 0% 2024 2025").is_visible()
    page.get_by_text("2 checks, 2 of them met").click()
    assert page.get_by_role("region", name="Checks").is_visible()
    shoot(page, "profile")
    assert complaints == []
    page.get_by_role("link", name="Data Docs of these checks").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Checks of text"
    # Its style sheet is let in, its scripts are not, though the page has tried both ways.
    assert page.locator("#told").evaluate("e => getComputedStyle(e).color") == "rgb(1, 2, 3)"
    assert page.title() == "Checks"
    assert any("script" in complaint.lower() for complaint in complaints)


def test_dataset_is_found_by_one_of_its_columns(base, open_page, shoot):
    page = open_page()
    page.goto(base)
    page.get_by_label("What are you looking for?").fill("kennziffer")
    page.get_by_role("button", name="Search").click()
    assert page.get_by_role("heading", name="1 dataset").is_visible()
    page.get_by_role("article").get_by_role("link").first.click()
    assert page.get_by_role("heading", name="Why the verdict is “suspect”").is_visible()
    assert page.locator(SCRIPTS).count() == 0
    shoot(page, "suspect")


def test_script_in_a_title_is_shown_as_text(base, stock, open_page, shoot, complaints):
    page = open_page()
    page.goto(f"{base}/files/{stock['script']}")
    assert (
        "<script>document.title='owned'</script>"
        in page.get_by_role("heading", level=1).inner_text()
    )
    assert "owned" not in page.title().replace("<script>document.title='owned'</script>", "")
    assert page.locator(SCRIPTS).count() == 0
    shoot(page, "hostile")
    assert complaints == []


def test_policy_stops_a_script_that_gets_in_all_the_same(base, open_page):
    page = open_page()
    page.goto(base)
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.body.append(s); }"
    )
    assert page.evaluate("() => window.ran") is None


@pytest.mark.parametrize(
    "name",
    [
        "search",
        "found",
        "dataset",
        "hostile",
        "table",
        "diff",
        "site",
        "run",
        "alerts",
        "alert",
        "guide",
    ],
)
def test_phone_needs_no_sideways_scrolling(base, stock, open_page, shoot, name):
    page = open_page(viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True)
    page.goto(addresses(base, stock)[name])
    shoot(page, f"phone-{name}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_in_dark(base, stock, open_page, shoot, scheme):
    page = open_page(color_scheme=scheme)
    for name, address in addresses(base, stock).items():
        page.goto(address)
        shoot(page, f"{scheme}-{name}")
        weak = page.evaluate(CONTRAST)
        assert weak == [], (name, weak)
    ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 23, 28)"}[scheme]


def test_keyboard_reaches_the_content_and_the_focus_is_seen(base, open_page, shoot):
    page = open_page()
    page.goto(f"{base}/?q=births")
    page.keyboard.press("Tab")
    skip = page.locator("a.skip")
    assert skip.evaluate("link => link === document.activeElement")
    assert skip.bounding_box()["y"] >= -40
    shoot(page, "skip-link")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    focused = page.evaluate("() => document.activeElement.id")
    assert focused == "q"
    outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


# WCAG 2: the contrast of every visible text with the ground behind it, at least 4.5 to 1.
CONTRAST = """() => {
  const parse = (text) => {
    const parts = text.match(/[\\d.]+/g).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const shine = (rgb) => {
    const [r, g, b] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let node = element; node; node = node.parentElement) {
      const { rgb, alpha } = parse(getComputedStyle(node).backgroundColor);
      if (alpha === 1) return rgb;
    }
    return [255, 255, 255];
  };
  const weak = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const svg = element.namespaceURI.endsWith("svg");
    const text = shine(parse(svg ? style.fill : style.color).rgb);
    const ground = shine(behind(element));
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    const name = `${element.tagName}.${element.getAttribute("class")}`;
    if (ratio < 4.5) weak.add(`${name} ${ratio.toFixed(2)}`);
  }
  return [...weak];
}"""


def test_table_is_filtered_and_sorted_by_its_form(base, stock, open_page, complaints):
    page = open_page()
    page.goto(f"{base}/files/{stock['births']}")
    page.get_by_role("link", name="All rows").click()
    rows = page.locator("table.data tbody tr")
    before = rows.count()
    page.get_by_label("Only rows where").select_option(index=1)
    page.get_by_label("this value").fill(rows.first.locator("td").first.inner_text())
    page.get_by_role("button", name="Show").click()
    assert 0 < rows.count() < before
    page.get_by_role("link", name="Without").click()
    assert rows.count() == before
    page.locator("table.data thead a").first.click()
    assert page.locator("th[aria-sort=ascending]").count() == 1
    assert complaints == []


def test_the_tables_of_a_site_fit_a_desk(base, open_page):
    page = open_page()
    for address in ("/sites/demo", "/sites"):
        page.goto(f"{base}{address}")
        regions = page.locator(".scroll")
        assert regions.count() > 0
        for place in range(regions.count()):
            assert regions.nth(place).evaluate("e => e.scrollWidth <= e.clientWidth"), address


def test_numbers_of_the_first_rows_stand_at_the_right(base, stock, open_page):
    page = open_page()
    page.goto(f"{base}/files/{stock['births']}")
    rows = page.get_by_role("region", name="First rows")
    figure, place = (rows.get_by_role("cell", name=name).first for name in ("812", "Nord"))
    align = "e => getComputedStyle(e).textAlign"
    assert (figure.evaluate(align), place.evaluate(align)) == ("end", "start")


def test_descriptions_and_lines_to_copy_pass_the_policy(base, stock, open_page, complaints):
    page = open_page()
    page.goto(f"{base}/files/{stock['births']}")
    page.get_by_text("BibTeX", exact=True).click()
    assert page.get_by_text("@misc{demo-").is_visible()
    assert page.get_by_label("curl", exact=True).is_visible()
    assert page.locator('script[type="application/ld+json"]').count() == 1
    assert complaints == []


def test_alert_is_found_by_its_name_and_leads_to_its_search(base, open_page, complaints):
    page = open_page()
    page.goto(base)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Alerts").click()
    assert page.get_by_text('did you mean "search"?').is_visible()
    page.get_by_role("region", name="Alerts").get_by_role("link", name="births").first.click()
    assert page.get_by_role("heading", level=1).inner_text() == "births"
    assert page.get_by_text("Nothing: there is no news").is_visible()
    page.get_by_role("link", name="Its search").click()
    assert page.get_by_role("heading", name="1 dataset").is_visible()
    assert complaints == []
