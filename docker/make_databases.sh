#!/bin/sh
# Two databases on one server, each with an owner of its own: Airflow's metadata and the catalog.
# PostgreSQL's image runs this once, when its data folder is still empty.
set -eu

psql --set=ON_ERROR_STOP=1 --no-psqlrc --quiet \
    --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" \
    --set=airflow_password="$AIRFLOW_DB_PASSWORD" \
    --set=catalog_password="$CATALOG_DB_PASSWORD" <<'SQL'
CREATE ROLE airflow LOGIN PASSWORD :'airflow_password';
CREATE ROLE tallyho LOGIN PASSWORD :'catalog_password';
CREATE DATABASE airflow OWNER airflow TEMPLATE template0 ENCODING 'UTF8';
CREATE DATABASE tallyho OWNER tallyho TEMPLATE template0 ENCODING 'UTF8';
REVOKE CONNECT ON DATABASE airflow FROM PUBLIC;
REVOKE CONNECT ON DATABASE tallyho FROM PUBLIC;
SQL
