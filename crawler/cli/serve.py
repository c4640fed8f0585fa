"""`tallyho serve`: the catalog's pages and its JSON API, without Airflow."""

import errno
import socket
from contextlib import closing, suppress
from typing import Annotated

import typer
import uvicorn

from crawler.catalog import open_catalog
from crawler.cli.output import print_warning
from crawler.config.settings import load_settings
from crawler.errors import ConfigError
from crawler.webapp.allowed_hosts import AllowedHosts
from crawler.webapp.app import create_app
from crawler.webapp.bounded_protocol import MAX_HEADER_BYTES, BoundedProtocol
from crawler.webapp.cors import readable_elsewhere

LOOPBACK = ("127.0.0.1", "::1", "localhost")

EPILOG = """\b
Examples:
  tallyho serve
  tallyho serve --port 8600
  tallyho serve --host 0.0.0.0     (everyone who reaches this machine may read the catalog)
  tallyho serve --host 0.0.0.0 --allowed-host catalog.example.org
  tallyho serve --cors https://notebooks.example.org
"""


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; other machines reach only other ones.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8501,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help="A name that browsers may ask for, beside localhost and addresses."),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="A website whose scripts may read the API from a browser; * is every one.",
        ),
    ] = None,
) -> None:
    """Serve the catalog's pages and JSON API until Ctrl-C.

    /metrics says for Prometheus how every site stands.

    There is no login: everyone who reaches the address may search, read and download everything.
    For more than a few people, put it behind a proxy that has one.
    """
    with closing(open_catalog()) as catalog, closing(_listening(host, port)) as listening:
        if host not in LOOPBACK:
            print_warning(f"{host} may be reached by others, and there is no login")
        settings = load_settings()
        app = create_app(catalog, sites_dir=settings.sites_dir, alerts_dir=settings.alerts_dir)
        app.warm_up()
        names = [host, socket.gethostname(), *(allowed_host or ())]
        config = uvicorn.Config(
            AllowedHosts(readable_elsewhere(app, cors or ()), names),
            log_config=None,
            server_header=False,
            access_log=False,
            http=BoundedProtocol,
            ws="none",
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=10,
        )
        typer.echo(f"Serving the catalog at {_address(listening)}  Ctrl-C stops it.")
        # uvicorn finishes what it is answering, then raises the signal that it got.
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """Bound before anything is said, so that what is said is true."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, reuse_port=False)
    except OSError as error:
        busy = error.errno == errno.EADDRINUSE
        reason = "the port is in use; choose another one with --port" if busy else error.strerror
        raise ConfigError(f"cannot listen on {host} port {port}: {reason or error}") from error


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
