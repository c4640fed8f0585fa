"""Any table of a file, page by page, as a browser and as a script see it."""

import io

import pandas as pd
from fastapi.testclient import TestClient

from tests.webapp.stock import Stock


def test_rows_are_filtered_sorted_and_paged(client: TestClient, stock: Stock):
    address = f"/api/v2/files/{stock['births']}/rows"
    whole = client.get(address).json()
    assert whole["matching"] == whole["total"] == len(whole["items"])
    column = whole["columns"][0]
    value = whole["items"][0][0]
    some = client.get(address, params={"filter": f"{column}={value}", "sort": f"-{column}"}).json()
    assert {row[0] for row in some["items"]} == {value}
    last = client.get(address, params={"limit": 1, "offset": whole["total"] - 1}).json()
    assert last["items"] == whole["items"][-1:]


def test_rows_come_as_csv_and_parquet(client: TestClient, stock: Stock):
    address = f"/api/v2/files/{stock['births']}/rows"
    whole = client.get(address).json()
    text = client.get(address, params={"format": "csv"})
    assert text.headers["content-type"].startswith("text/csv")
    assert len(pd.read_csv(io.StringIO(text.text))) == whole["total"]
    data = client.get(address, params={"format": "parquet"}).content
    assert list(pd.read_parquet(io.BytesIO(data)).columns) == whole["columns"]


def test_page_shows_rows_and_keeps_the_view_in_its_links(client: TestClient, stock: Stock):
    address = f"/files/{stock['births']}/table"
    columns = client.get(f"/api/v2/files/{stock['births']}/rows").json()["columns"]
    page = client.get(address, params={"sort": columns[0], "filter": f"{columns[0]}!=nothing"})
    assert page.status_code == 200
    assert f"filter={columns[0]}%21%3Dnothing" in page.text
    assert 'aria-sort="ascending"' in page.text
    assert f'href="{address}"' in client.get(f"/files/{stock['births']}").text


def test_what_cannot_be_shown_gets_a_sentence(client: TestClient, stock: Stock):
    address = f"/files/{stock['births']}/table"
    assert "has no column &#39;nowhere&#39;" in client.get(f"{address}?sort=nowhere").text
    assert client.get(f"{address}?filter=year").status_code == 422
    assert client.get(f"{address}?version=99").status_code == 404
    assert (
        "A table cannot be read from an HTML page."
        in client.get(f"/files/{stock['page']}/table").text
    )
    answer = client.get(f"/api/v2/files/{stock['page']}/rows").json()
    assert (answer["items"], answer["reason"]) == ([], "A table cannot be read from an HTML page.")


def test_a_csv_answer_says_how_many_rows_there_are_and_where_the_next_are(
    client: TestClient, stock: Stock
):
    address = f"/api/v2/files/{stock['births']}/rows"
    first = client.get(address, params={"format": "csv", "limit": 2})
    assert first.headers["x-total-count"] == "3"
    later = first.links["next"]["url"]
    rest = client.get(later)
    assert len(rest.text.splitlines()) == 2
    assert "link" not in rest.headers
    assert client.get(address, params={"limit": 2}).json()["more"] is True
    assert client.get(address).json()["more"] is False


def test_an_unreadable_file_is_no_empty_csv(client: TestClient, stock: Stock):
    answer = client.get(f"/api/v2/files/{stock['page']}/rows", params={"format": "csv"})
    assert answer.status_code == 422
    assert answer.json()["error"]
