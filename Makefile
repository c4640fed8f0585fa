# Every target prepares the virtual environment by itself; nothing here gains from running at once.
.NOTPARALLEL:
.PHONY: help run up down backup restore test test-fast lint bench bench-strategies fuzz reference lock sbom audit image-digests clean runtime dev

BIN := .venv/bin
PORT := 8080
DEMO_PORT ?= $(shell sed -n 's|^start_url: http://127.0.0.1:\([0-9]*\)/.*|\1|p' include/sites/demo.yaml)

help:
	@echo "make run        one night of the demo site through Airflow: crawl, validate, publish, show the result (DEMO_PORT=8350)"
	@echo "make up         Airflow, the catalog's pages and the demo site, live on this machine (PORT=8080)"
	@echo "make down       end all that make up started"
	@echo "make backup     catalog, store, crawl states and site files into a new folder (FOLDER=backups/DATE, REUSE=earlier)"
	@echo "make restore    put a backup back (FOLDER=backups/DATE; OVERWRITE=1 replaces what is there)"
	@echo "make test       lint, then all tests"
	@echo "make test-fast  the tests that take no more than a few seconds each"
	@echo "make lint       ruff (rules and format) and mypy (strict)"
	@echo "make bench      engine speed and memory, the search for actions, ingest, validation, strategies compared (half an hour)"
	@echo "make bench-strategies  all strategies on synthetic sites and on the recorded ones in SITES=folder (half an hour or more;"
	@echo "                       SEED=first site seed, CSV=file for the runs, BEFORE=such a file of an earlier version)"
	@echo "make reference  docs/site-yaml.md, settings.md, api.md, tables of monitoring.md, the settings of deployments, from the code"
	@echo "make fuzz       coverage-guided fuzzing of pages, URLs, robots.txt, YAML and readers (SECONDS=60 each)"
	@echo "make lock       resolve the requirements files, with hashes, from pyproject.toml"
	@echo "make sbom       write the locked packages as CycloneDX (sbom.json)"
	@echo "make audit      known weaknesses of the locked packages (needs the network)"
	@echo "make image-digests  renew the digests of the base images (needs docker and the network)"
	@echo "make clean      remove .venv and caches; acquired files (.tallyho) stay"

runtime dev:
	@scripts/setup.sh $@

run:
	@scripts/setup.sh runtime $(DEMO_PORT)
	@$(BIN)/python scripts/demo.py --port $(DEMO_PORT)

up: runtime
	@$(BIN)/python scripts/up.py --port $(PORT)

down: runtime
	@$(BIN)/python scripts/down.py

backup: runtime
	@$(BIN)/tallyho backup "$(or $(FOLDER),backups/$(shell date -u +%Y-%m-%dT%H%M%S))" $(if $(REUSE),--reuse "$(REUSE)")

restore: runtime
	@$(BIN)/tallyho restore "$(or $(FOLDER),$(error name the backup: make restore FOLDER=backups/DATE))" $(if $(OVERWRITE),--overwrite)

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy scripts
	$(BIN)/mypy plugins dags

test: lint
	$(BIN)/pytest -n 2

test-fast: dev
	$(BIN)/pytest -n 2 -m "not slow"

bench: dev
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.nearest_action
	$(BIN)/python -m benchmarks.ingest
	$(BIN)/python -m benchmarks.dag_parsing
	$(BIN)/python -m benchmarks.validation
	$(BIN)/tallyho lab compare demo --runs 5
	$(BIN)/tallyho lab compare demo --pages 5000 --seed 2 --runs 5

bench-strategies: dev
	$(BIN)/python -m benchmarks.strategies $(if $(SITES),--sites "$(SITES)") $(if $(SEED),--first-site-seed $(SEED)) \
		$(if $(CSV),--csv "$(CSV)") $(if $(BEFORE),--before "$(BEFORE)")

reference: dev
	$(BIN)/python -m crawler.config.reference
	$(BIN)/python -m crawler.metrics.reference
	$(BIN)/python scripts/api_reference.py
	$(BIN)/python scripts/deployment_settings.py

fuzz: dev
	$(BIN)/python -m fuzzing all --seconds $(or $(SECONDS),60)

lock:
	@scripts/setup.sh lock

sbom audit: dev
	@$(BIN)/python scripts/supply_chain.py $@

image-digests: dev
	@$(BIN)/python scripts/supply_chain.py images

clean:
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
