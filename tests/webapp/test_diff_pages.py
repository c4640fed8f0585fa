"""What changed between two versions, on its page and in the API."""

from fastapi.testclient import TestClient

from tests.webapp.stock import Stock


def test_page_and_api_name_the_same_changes(client: TestClient, stock: Stock):
    answer = client.get(f"/api/v2/files/{stock['births']}/diff").json()
    assert (answer["from_version"], answer["to_version"]) == (1, 2)
    assert answer["tables"]
    page = client.get(f"/files/{stock['births']}/diff?from=1&to=2")
    assert page.status_code == 200
    assert answer["summary"] in page.text
    for table in answer["tables"]:
        for cell in table["revised"]:
            assert f"<del><bdi>{cell['old']}</bdi></del>" in page.text
    shown = client.get(f"/files/{stock['births']}").text
    assert f"/files/{stock['births']}/diff?to=2" in shown


def test_versions_that_cannot_be_compared_get_a_sentence(client: TestClient, stock: Stock):
    only_one = client.get(f"/files/{stock['pdf']}/diff")
    assert only_one.status_code == 404
    assert "no version before 1 to compare with" in only_one.text
    wrong = client.get(f"/api/v2/files/{stock['births']}/diff?from=2&to=1")
    assert wrong.status_code == 404
    assert "is not older than" in wrong.text
    assert client.get(f"/files/{stock['births']}/diff?from=-1").status_code == 422
