"""`python -m bots.cli` is `crowns`."""

from bots.cli import main

main(prog_name="crowns")
