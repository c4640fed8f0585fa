"""The server on loopback: HTTP as crawlers meet it, and an access log that can be trusted."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from crawler.errors import ConfigError, ExitCode
from crawler.lab.server import running_site, serve
from crawler.lab.sites.demo import demo_site

SITE = demo_site(60)
FILE = next(SITE.target_paths())
SERVING = """
from crawler.lab.sites.demo import demo_site
from crawler.lab.server import serve
serve(demo_site(60), 0, on_ready=lambda base: print(base, flush=True))
print("ended", flush=True)
"""


def ask(connection, method, path, **headers):
    connection.request(method, path, headers={"User-Agent": "tester/1", **headers})
    answer = connection.getresponse()
    return answer, answer.read()


def connect(base):
    return http.client.HTTPConnection(urlsplit(base).netloc, timeout=10)


@pytest.mark.parametrize("path", ["/en/", FILE, "/go/loop/1", "/nothing"])
def test_head_has_the_headers_of_get_and_no_body(path):
    with running_site(SITE) as base:
        connection = connect(base)
        got, body = ask(connection, "GET", path)
        head, nothing = ask(connection, "HEAD", path)
        connection.close()
    left_out = {"Date"}
    headers = [{k: v for k, v in each.headers.items() if k not in left_out} for each in (got, head)]
    assert headers[0] == headers[1]
    assert (got.status, len(body)) == (head.status, int(head.headers["Content-Length"]))
    assert nothing == b""


def test_the_site_is_served_byte_for_byte_under_its_own_address():
    with running_site(SITE) as base:
        connection = connect(base)
        _, robots = ask(connection, "GET", "/robots.txt")
        _, body = ask(connection, "GET", FILE)
        connection.close()
    assert f"Sitemap: {base}/sitemap.xml".encode() in robots
    assert body == SITE.respond(FILE).body


def test_one_connection_carries_many_requests():
    with running_site(SITE) as base:
        connection = connect(base)
        ask(connection, "GET", "/")
        first = connection.sock.getsockname()
        for path in SITE.page_paths():
            answer, _ = ask(connection, "GET", path)
            assert answer.status == 200
        assert connection.sock.getsockname() == first
        connection.close()


def test_a_known_etag_is_answered_with_not_modified():
    with running_site(SITE) as base:
        connection = connect(base)
        tag = ask(connection, "GET", FILE)[0].headers["ETag"]
        answer, body = ask(connection, "GET", FILE, **{"If-None-Match": tag})
        connection.close()
    assert (answer.status, body) == (304, b"")


def test_the_access_log_has_one_line_per_request_in_order(tmp_path):
    log = tmp_path / "access.jsonl"
    asked = [("GET", "/"), ("HEAD", FILE), ("GET", "/nothing?a=1"), ("GET", "/go/loop/1")]
    with running_site(SITE, access_log=log) as base:
        connection = connect(base)
        for number, (method, path) in enumerate(asked, start=1):
            ask(connection, method, path)
            assert len(log.read_text().splitlines()) == number
        connection.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["method"], line["path"]) for line in lines] == asked
    assert [line["status"] for line in lines] == [200, 200, 404, 302]
    assert {line["agent"] for line in lines} == {"tester/1"}
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)


def test_the_access_log_is_appended_to(tmp_path):
    log = tmp_path / "access.jsonl"
    for _ in range(2):
        with running_site(SITE, access_log=log) as base:
            connection = connect(base)
            ask(connection, "GET", "/")
            connection.close()
    assert len(log.read_text().splitlines()) == 2


def test_a_client_that_goes_away_does_not_disturb_the_others(capfd):
    with running_site(SITE) as base:
        parts = urlsplit(base)
        for _ in range(5):
            with socket.create_connection((parts.hostname, parts.port)) as gone:
                gone.sendall(b"GET /en/ HTTP/1.1\r\nHost: x\r\n\r\n")
        connection = connect(base)
        assert ask(connection, "GET", "/")[0].status == 200
        connection.close()
    assert capfd.readouterr().err == ""


def test_a_busy_port_is_a_clear_error():
    with running_site(SITE) as base:
        port = urlsplit(base).port
        with pytest.raises(ConfigError, match=f"127.0.0.1:{port}: the port is in use") as caught:
            serve(SITE, port)
    assert caught.value.exit_code is ExitCode.CONFIG


def test_an_access_log_that_cannot_be_written_is_a_clear_error(tmp_path):
    with pytest.raises(ConfigError, match="cannot write the access log"):
        serve(SITE, 0, access_log=tmp_path / "no" / "access.jsonl")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_cleanly(number):
    with subprocess.Popen(
        [sys.executable, "-c", SERVING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts jobs in the background lets them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        base = process.stdout.readline().strip()
        connection = connect(base)
        assert ask(connection, "GET", "/")[0].status == 200
        os.kill(process.pid, number)
        out, err = process.communicate(timeout=20)
        connection.close()
    assert (process.returncode, out, err) == (0, "ended\n", "")
