"""Measurements that `make bench` prints; nothing here is a test."""
