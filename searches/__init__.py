"""Search sessions in the default database: durable, resumable, decided by an agent or a person."""
