"""Measurements that `make bench` prints; nothing here is a test."""

import os

# This process puts functions of its own into modules of the game; processes that are measured say which build they run.
os.environ.setdefault("CROWNS_BUILD", "pure")
