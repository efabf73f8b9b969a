"""Game records: write, read, replay, verify; and the codec between domain values and protobuf."""
