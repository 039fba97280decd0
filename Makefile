# Everything a developer does. `make` alone lists it.
# Needs git, make and any Python from 3.10 on; the rest, Python 3.13 included, is found or fetched by uv.

PORT ?= 8000
DATA_DIR ?= var
WORKERS ?= auto
export PORT DATA_DIR
# Processes that compile all of their code anew take three times as long to start, and the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

# A uv on PATH may be a shim that does not run here, so it is tried, not looked up.
UV := $(shell uv --version >/dev/null 2>&1 && echo uv || echo .uv/bin/uv)
RUN := .venv/bin/
PYTEST := $(RUN)pytest -n $(WORKERS)
ON_FAST := tests/engine tests/another_game
NO_SERVICE := DEBUG=1 DATABASE_URL=sqlite://:memory:
PRODUCTION := DEBUG=0 SITE_URL=https://gravity.example ALLOWED_HOSTS=gravity.example DATABASE_URL=postgres://check@db/check \
	REDIS_URL=redis://redis:6379/0 MAIL_URL=smtp+tls://mail.example SECRET_KEY=a-key-of-more-than-fifty-characters-that-opens-nothing-0123456789

.PHONY: help setup play test quick check lint types contracts templates deploy audit translations suite suite-fast engine-fast engine-plain coverage screenshots lighthouse starters bench serve messages format clean

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /: /' | while IFS=: read -r name what; do printf '  make %-13s%s\n' "$$name" "$$what"; done

setup: .venv/.ready .env.local ## install everything into .venv, from the lock

.uv/bin/uv:
	@for python in python3 /usr/bin/python3 python3.13 python3.12 python3.11 python3.10; do \
		$$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || continue; \
		echo "Installing uv into .uv"; \
		$$python -m venv .uv && .uv/bin/pip install --quiet --disable-pip-version-check uv && exit 0; \
	done; \
	echo "No Python from 3.10 on with its venv module was found (Debian: apt install python3-venv)." >&2; exit 1

.venv/.ready: pyproject.toml uv.lock .python-version $(filter .uv/bin/uv,$(UV))
	@$(UV) sync --locked --quiet || { echo "The setup failed: is Python 3.13 there, or may uv fetch it (UV_PYTHON_DOWNLOADS)?" >&2; exit 1; }
	@touch $@

.env.local:
	@cp .env.local.example .env.local

play: setup ## play in your browser, on PORT (8000), with everything kept in DATA_DIR (var)
	@DEBUG=1 LOG_LEVEL=$${LOG_LEVEL:-WARNING} exec $(RUN)python manage.py play

test: setup ## run the tests; says what is lacking for those it skips
	@env TEST_ON=postgresql $(PYTEST) --dist loadgroup
	@$(PYTEST)

quick: setup ## the quick half of the tests, for the day's work: no server, no browser, fewer examples
	@env EXAMPLES=few $(PYTEST) --hypothesis-profile quick -m "not slow and not browser and not pg"

check: setup lint types contracts templates deploy audit translations suite suite-fast ## everything that must be green before a change is merged

lint: setup ## format and style of the Python code
	$(RUN)ruff format --check .
	$(RUN)ruff check .

types: setup ## types, strictly
	$(RUN)mypy

contracts: setup ## who may import whom
	$(RUN)lint-imports

templates: setup ## format of the templates
	@git ls-files -z 'templates/*.html' | xargs -0 $(RUN)djade --check --target-version 6.0

deploy: setup ## migrations are written, production settings are safe, the container files are sound
	$(NO_SERVICE) $(RUN)python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(RUN)python manage.py check --deploy --fail-level WARNING
	$(RUN)check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml
	$(RUN)hadolint Dockerfile
	SITE_HOST=gravity.example $(RUN)caddy adapt --config deploy/Caddyfile --validate >/dev/null

audit: setup ## is a vulnerability known in what uv.lock pins? says so where the advisories can't be reached
	$(RUN)python scripts/audit.py

translations: setup ## every text in every language, and the catalogues in step with the sources
	$(RUN)python scripts/check_translations.py

suite: setup ## the tests on both databases, with the engine in plain Python
	env ENGINE=plain TEST_ON=postgresql $(PYTEST) --dist loadgroup
	env ENGINE=plain $(PYTEST)

suite-fast: setup ## the tests of the engine, and of games over HTTP, with the compiled one; says what is lacking if it skips them
	@$(RUN)python scripts/compile_engine.py && echo "ENGINE=fast pytest $(ON_FAST)" && env ENGINE=fast $(PYTEST) $(ON_FAST) \
		|| { status=$$?; [ $$status -eq 75 ] && [ "$$CI" != true ] || exit $$status; }

engine-fast: setup ## compile the engine's busiest modules; needs a C compiler, and is never needed
	@$(RUN)python scripts/compile_engine.py
	@$(RUN)python -c 'from engine import compiled; print("engine:", compiled.running())'

STARTERS := "2 --games 60" "2 --games 60 --bot nova:2" "2 --games 40 --expert" "2 --games 20 --goodies PJT" "3 --games 30" "4 --games 15" \
	"3 --games 15 --expert --goodies PJT"

starters: setup ## find the puzzles that the site starts with anew: an hour of a processor, a third of that with the compiled engine
	@for players in $(STARTERS); do $(RUN)python -m engine puzzles --bot nova:3 --players $$players --seed 7 --hard || exit 1; done \
		> games/data/puzzles.part
	@mv games/data/puzzles.part games/data/puzzles.jsonl

engine-plain: ## remove the compiled modules: the sources run again
	rm -rf engine/fast

coverage: setup ## the tests on SQLite, with branch coverage: some minutes more than without
	@rm -f .coverage .coverage.*
	$(PYTEST) --cov --cov-report=
	$(RUN)coverage report
	$(RUN)coverage report --include='engine/*,games/*' --fail-under=95 --format=total

screenshots: setup ## pictures of every main state, to be looked at, into screenshots/
	@$(PYTEST) tests/browser/screenshots.py

bench: setup ## speed and size, in figures; most of them need PostgreSQL and Redis, one node
	ENGINE=plain $(NO_SERVICE) $(RUN)python -m benchmarks
	$(RUN)python -m benchmarks.bots
	$(RUN)python -m benchmarks.ten_games
	$(RUN)python -m benchmarks.log_lines
	$(RUN)python -m benchmarks.http
	$(RUN)python -m benchmarks.peer
	$(RUN)python -m benchmarks.instructions
	$(RUN)python -m benchmarks.live
	$(RUN)python -m benchmarks.mails
	$(RUN)python -m benchmarks.sweep
	$(RUN)python -m benchmarks.lists
	$(RUN)python -m benchmarks.storage

lighthouse: setup ## what Lighthouse says of the main pages; needs Node.js, Chromium, PostgreSQL and Redis
	@$(RUN)python -m benchmarks.lighthouse

serve: setup ## the web server as in production; docs/operations.md says what it needs
	$(RUN)python manage.py collectstatic --no-input --verbosity 0
	$(RUN)python manage.py migrate --no-input
	exec $(RUN)gunicorn --config deploy/gunicorn.conf.py gravitysite.wsgi

format: setup ## rewrite code and templates in the house's format
	$(RUN)ruff format .
	$(RUN)ruff check --fix .
	git ls-files -z 'templates/*.html' | xargs -0 $(RUN)djade --target-version 6.0

messages: setup ## bring the catalogues of the translations in step with the sources, and compile them (needs gettext)
	$(NO_SERVICE) $(RUN)python manage.py makemessages --locale de --locale fr --locale nl --no-obsolete --add-location file --extension html,txt,py \
		--ignore 'tests/*' --ignore 'docs/*' --ignore 'benchmarks/*' --ignore 'scripts/*' --ignore '.venv/*' --ignore '.uv/*'
	$(RUN)python scripts/check_translations.py tidy
	$(NO_SERVICE) $(RUN)python manage.py compilemessages --ignore '.venv/*' --ignore '.uv/*' --verbosity 0

clean: ## remove everything that was made, except the data in var
	rm -rf engine/fast .venv .uv .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles
