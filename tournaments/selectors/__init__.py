"""Questions that pages, API and commands ask of the rows. Nothing here writes."""
