"""Find research papers: a checkpointed search workflow, its sources, exports and the retrieval engine."""
