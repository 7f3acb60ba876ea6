# The app, the agents' server and the Chroma server in one image; compose.yaml says what each container runs.
FROM python:3.11.14-slim-bookworm AS build
RUN python -m venv /venv
COPY requirements.txt ./
RUN /venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check -r requirements.txt

FROM python:3.11.14-slim-bookworm
RUN groupadd --gid 10001 precedent \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin precedent \
    && install -d -o precedent -g precedent -m 0700 /data /chroma
COPY --from=build /venv /venv
WORKDIR /app
COPY LICENSE app.py settings.py wiring.py ./
COPY .streamlit/config.toml .streamlit/config.toml
COPY audit audit
COPY evals evals
COPY mcp_server mcp_server
COPY memory memory
COPY pages pages
COPY seeds seeds
COPY ui ui
# What a start would else compile and unpack each time: the image is read-only then.
RUN /venv/bin/python -m compileall -q . \
    && /venv/bin/python -c "from memory.multilingual import MultilingualEmbedder as M; M().embed(['x'])"
ENV PATH=/venv/bin:$PATH \
    HOME=/tmp \
    PRECEDENT_HOME=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8501 8765
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.port", "8501"]
