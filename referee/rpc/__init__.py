import os

from referee import BUILD

# Read when grpc is loaded, which is later: else everybody who talks rubbish to a port writes a line into the log.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

if BUILD:
    __path__.insert(0, str(BUILD / "rpc"))
