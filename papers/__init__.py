"""The paper snapshot: models, assets, tools, pages, and the commands that build and check it."""
