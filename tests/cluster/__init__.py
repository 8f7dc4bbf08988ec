"""Search on a real cluster of three OpenSearch nodes: `make test-cluster`."""
