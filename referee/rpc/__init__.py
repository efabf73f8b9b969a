import os

# Read when grpc is loaded, which is later: else everybody who talks rubbish to a port writes a line into the log.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
