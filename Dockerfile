# One image for everything that runs the site's code: web, worker, beat, migrations. docker-compose.yml says what runs.

ARG BASE_IMAGE=python:3.13-slim-bookworm
FROM ${BASE_IMAGE} AS build
ENV UV_COMPILE_BYTECODE=1 \
    UV_LINK_MODE=copy \
    UV_PROJECT_ENVIRONMENT=/opt/venv \
    UV_PYTHON_DOWNLOADS=never
# The base image fixes the release; within it Debian brings nothing but repairs.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc gettext libc6-dev \
    && rm -rf /var/lib/apt/lists/* \
    && pip install --no-cache-dir "uv==0.13.9"
WORKDIR /app
COPY pyproject.toml uv.lock .python-version ./
# What compiles the engine stays out of what runs.
RUN uv sync --locked --no-dev \
    && UV_PROJECT_ENVIRONMENT=/opt/compiler uv sync --locked --only-group fast
COPY . .
# ENGINE=fast lets the build fail if the compiled engine can't be loaded.
# These settings open nothing: they only let the build read the settings of a server.
RUN /opt/compiler/bin/python scripts/compile_engine.py \
    && ENGINE=fast DEBUG=0 SECRET_KEY=build SITE_URL=https://build.invalid DATABASE_URL=postgres://build/build \
    REDIS_URL=redis://build MAIL_URL=smtp://build \
    sh -c '/opt/venv/bin/python manage.py compilemessages --verbosity 0 \
        && /opt/venv/bin/python manage.py collectstatic --no-input --verbosity 0' \
    && /opt/venv/bin/python -m compileall -q accounts engine games gravitysite statements

FROM ${BASE_IMAGE}
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    WEB_ADDRESS=0.0.0.0
RUN groupadd --gid 10001 gravity \
    && useradd --uid 10001 --gid gravity --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin gravity
WORKDIR /app
# Code and packages belong to root: the site can read them, and write nothing but /tmp.
COPY --from=build /opt/venv /opt/venv
COPY --from=build /app /app
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "deploy/is_alive.py", "web"]
CMD ["gunicorn", "--config", "deploy/gunicorn.conf.py", "gravitysite.wsgi"]
