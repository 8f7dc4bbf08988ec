"""Tests of ingest.drafts."""
