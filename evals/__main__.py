"""`python -m evals COMMAND`: measure recall, refit its gate, rewrite its background. One module for each command."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from importlib import import_module

from memory.standard_output import to_a_reader

# Each module has add_arguments(parser) and run(arguments) -> exit code; its docstring's first line is its help.
COMMANDS = {
    "recall": "evals.recall",
    "calibrate": "evals.calibrate",
    "background": "evals.background",
    "guard": "evals.guard",
    "scale": "evals.scale",
    "growth": "evals.growth",
    "scale-postgres": "evals.scale_postgres",
    "rivals": "evals.rivals",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: 0 done, 1 failed, 2 bad usage."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        loaded = import_module(module)
        about = (loaded.__doc__ or "").strip().splitlines()[0]
        command = commands.add_parser(name, help=about, description=loaded.__doc__)
        loaded.add_arguments(command)
        command.set_defaults(run=loaded.run)
    arguments = parser.parse_args(argv)
    result: int = arguments.run(arguments)
    return result


if __name__ == "__main__":
    sys.exit(to_a_reader(main))
