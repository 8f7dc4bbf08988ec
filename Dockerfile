# The site as an image: not root, nothing to write but /data and /tmp, the library mounted read-only at /library.
# The base by digest builds the same image every time; docs/deploy.md says how to find it:
#   docker build --build-arg BASE=python:3.12-slim@sha256:... .
ARG BASE=python:3.12-slim
FROM ${BASE} AS build
WORKDIR /app
COPY requirements.txt .
RUN python -m venv /venv && \
    /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt

FROM ${BASE}
RUN useradd --uid 10001 --no-create-home papersite && install -d -o papersite /data
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py gunicorn.conf.py ./
COPY papersite papersite
COPY mcpapi mcpapi
COPY searches searches
COPY papers papers
COPY specs specs
COPY papercore papercore
COPY paper_search paper_search
COPY templates templates
COPY openspec openspec
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 \
    PAPERSITE_DATA=/data PAPERSITE_SNAPSHOT=/library/paper_snapshot.db
USER papersite
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s CMD ["python", "-c", \
  "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["sh", "-c", "python manage.py migrate --no-input && exec python manage.py serve --bind 0.0.0.0:8000"]
