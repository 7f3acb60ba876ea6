"""The memory and the two audits as tools for agents, over stdio and streamable HTTP.

The workspace is the server's, never the caller's. What an agent writes is held, unverified, until a person looks at it.
"""
