#!/bin/sh
# Run by the image of PostgreSQL when its volume is empty: Temporal's own user, which makes its own two databases.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$TEMPORAL_POSTGRES_PASSWORD" <<'SQL'
create role temporal login createdb password :'password';
SQL
