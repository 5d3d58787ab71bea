#!/bin/sh
# PostgreSQL's image runs this when its volume is empty. It creates Temporal's user, which then creates its two databases.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$TEMPORAL_POSTGRES_PASSWORD" <<'SQL'
create role temporal login createdb password :'password';
SQL
