# The site as an image: not root, nothing to write but /data and /tmp, the library mounted read-only at /library.
# Without a library it shows the demo. The base by digest builds the same image every time; docs/deploy.md says how:
#   docker build --build-arg BASE=python:3.12-slim@sha256:... .
ARG BASE=python:3.12-slim
FROM ${BASE} AS build
WORKDIR /app
COPY requirements.txt .
# Out go parts of packages that the site never loads: tests, sources of compiled code, translations of Django,
# wordllama's code (its vectors stay), the downloader of models, another package's documentation pages.
RUN python3 -m venv --without-pip /venv && python3 -m venv /pip && \
    PIP_NO_CACHE_DIR=1 /pip/bin/pip --python /venv/bin/python install --require-hashes -r requirements.txt && \
    cd /venv/lib/python3*/site-packages && \
    find . -type d -name tests -prune -exec rm -rf {} + && \
    find . -path './django/*/locale/*' -type d -not -path '*/en*' -not -name LC_MESSAGES -prune -exec rm -rf {} + && \
    find . \( -name '*.pyi' -o -name '*.c' -o -name '*.pyx' -o -name '*.a' -o -name '*.h' \) -delete && \
    rm -rf wordllama/algorithms huggingface_hub* hf_xet* fsspec* ninja/static django/contrib/gis numpy/f2py \
      pygments/lexers/__pycache__
COPY manage.py gunicorn.conf.py ./
COPY papersite papersite
COPY mcpapi mcpapi
COPY searches searches
COPY papers papers
COPY specs specs
COPY ingest ingest
COPY papercore papercore
COPY paper_search paper_search
COPY templates templates
COPY openspec openspec
RUN python3 -m compileall -q .
# The sentence model where it can be had; without it search goes by words and word vectors.
RUN mkdir models && PATH=/pip/bin:$PATH PAPERSITE_DATA=/tmp/data /venv/bin/python manage.py model install --optional && \
    if [ -d /tmp/data/models/minilm-l6-v2 ]; then mv /tmp/data/models/minilm-l6-v2 models/; fi

FROM ${BASE}
RUN useradd --uid 10001 --no-create-home papersite && install -d -o papersite /data
COPY --from=build /venv /venv
COPY --from=build /app /app
ENV PATH=/venv/bin:$PATH PYTHONPATH=/app PYTHONDONTWRITEBYTECODE=1 PAPERSITE_DATA=/data
WORKDIR /data
USER papersite
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["python", "-c", \
  "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["sh", "-c", "if [ -e /library/paper_snapshot.db ]; then export PAPERSITE_SNAPSHOT=/library/paper_snapshot.db; fi; \
  exec python -m papersite --no-browser --bind 0.0.0.0:8000"]
