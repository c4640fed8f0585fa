# One image for all services of docker-compose.yaml: Airflow, the project and its pinned packages.
# The build asks a package index and nobody else: pip gets each package by its hash, and the compiler
# (for hnswlib) comes with the builder's image. Its build argument PIP_INDEX_URL names another index.
ARG PYTHON=python:3.11.14-slim-bookworm
ARG BUILDER=python:3.11.14-bookworm

FROM ${BUILDER} AS builder
ARG PIP_INDEX_URL
# hnswlib is published as source only. Without this it would be built for this very processor.
ENV HNSWLIB_NO_NATIVE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
COPY requirements.txt requirements-build.txt /build/
ENV PIP_BUILD_CONSTRAINT=/build/requirements-build.txt
RUN pip install --require-hashes --requirement /build/requirements.txt
COPY pyproject.toml README.md LICENSE /build/
COPY crawler /build/crawler
# Without isolation, so that it is built by the locked setuptools and by nothing newer.
RUN pip install --require-hashes --requirement /build/requirements-build.txt \
    && pip install --no-deps --no-build-isolation /build \
    && pip uninstall --yes uv pybind11 wheel \
    && pip check

FROM ${PYTHON}
RUN useradd --uid 50000 --gid 0 --create-home --shell /usr/sbin/nologin tallyho \
    && install --directory --owner 50000 --group 0 --mode 770 \
        /opt/airflow /opt/airflow/logs /opt/airflow/login /var/lib/tallyho
COPY --from=builder /opt/venv /opt/venv
COPY dags /opt/tallyho/dags
COPY plugins /opt/tallyho/plugins
COPY include /opt/tallyho/include
COPY docker/prepare.py docker/healthy.py /opt/tallyho/docker/
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    AIRFLOW_HOME=/opt/airflow \
    AIRFLOW__CORE__DAGS_FOLDER=/opt/tallyho/dags \
    AIRFLOW__CORE__PLUGINS_FOLDER=/opt/tallyho/plugins \
    AIRFLOW__CORE__LOAD_EXAMPLES=False \
    AIRFLOW__LOGGING__BASE_LOG_FOLDER=/opt/airflow/logs \
    TALLYHO_HOME=/var/lib/tallyho \
    TALLYHO_SITES_DIR=/opt/tallyho/include/sites \
    TALLYHO_EXPECTATIONS_DIR=/opt/tallyho/include/expectations \
    TALLYHO_ALERTS_DIR=/opt/tallyho/include/alerts \
    TALLYHO_THESAURUS_FILE=/opt/tallyho/include/thesaurus.txt \
    GX_ANALYTICS_ENABLED=false
WORKDIR /opt/tallyho
USER 50000:0
CMD ["airflow", "version"]
