"""What the servers offer: functions as tools with short schemas, and the servers that list them."""
