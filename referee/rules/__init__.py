"""Five Crowns as pure functions: what is legal, what follows from it, what it costs, and who may see it."""
