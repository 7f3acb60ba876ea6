#!/usr/bin/env bash
# Run the whole suite with the given Python. With CI=true install the browser and Docker Compose; skip nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
if [ -n "${CI:-}" ] && command -v apt-get >/dev/null && ! { command -v chromium-headless-shell && command -v docker-compose; } >/dev/null; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium-headless-shell docker-compose fonts-noto-cjk fonts-noto-color-emoji >/dev/null
fi
exec "$python" -m pytest -m "not soak" -n 2 --dist loadfile --no-loadscope-reorder
