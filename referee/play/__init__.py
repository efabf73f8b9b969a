"""A game session: the one game loop, as a plain state machine without transport or clock."""
