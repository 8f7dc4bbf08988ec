"""The site: settings, addresses, middleware, who may read, health and logs; in rooms its server, data, command, pages."""
