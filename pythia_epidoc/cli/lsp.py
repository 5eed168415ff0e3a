"""`pythia-epidoc lsp`: run the language server, on standard input and output unless told otherwise."""

from __future__ import annotations

import click

from pythia_epidoc import __version__

_LOOPBACK = "127.0.0.1"


@click.command()
@click.option("--stdio", is_flag=True, help="Talk over standard input and output (the default).")
@click.option(
    "--tcp",
    "port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Listen on this port of the local machine instead, for debugging.",
)
@click.version_option(__version__, prog_name="pythia-epidoc lsp")
def command(stdio: bool, port: int | None) -> None:
    """Run the language server for an editor.

    Editors start it themselves; see docs/editor.md. The model is loaded when it is first needed.
    """
    if stdio and port is not None:
        raise click.UsageError("--stdio and --tcp exclude each other.")
    from pythia_epidoc_lsp.server import create_server

    server = create_server("pythia_epidoc_lsp.jobs:load_model")
    if port is not None:
        click.echo(f"Listening on {_LOOPBACK}:{port}", err=True)
        try:
            server.start_tcp(_LOOPBACK, port)
        except OSError:
            raise click.UsageError(f"Port {port} is in use or not allowed; choose another one.") from None
    else:
        server.start_io()
    raise SystemExit(server.exit_code)
