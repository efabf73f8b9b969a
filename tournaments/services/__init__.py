"""All writes. Each service takes keywords, is one transaction, checks before it writes, and is safe to repeat.

Locks are taken in the order tournament, round, match, bot, sequence. No transaction is held over a call to a referee.
"""
