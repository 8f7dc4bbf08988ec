"""The site: settings, addresses, middleware, who may read, health, logs; and rooms for server, data, command, pages."""
