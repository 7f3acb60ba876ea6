"""A loopback server that answers as Groq, OpenAI, Ollama, vLLM and llama.cpp do, for every way they fail."""
