"""REST, version 1: what the pages show to read, and what owners and organisers may do to write. See README.md."""
