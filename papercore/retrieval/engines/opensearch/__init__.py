"""The remote engine: words and vectors on an OpenSearch cluster. Needs the extra `opensearch`."""
