"""The models that write audits: one port, the SDK clients behind it, and the chain that tries them in order."""
