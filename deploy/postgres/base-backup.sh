#!/bin/sh
# Copies the data folder of a running PostgreSQL that archives its WAL: sh base-backup.sh <data folder> <new folder>
# Connects as psql does (PGHOST, PGUSER, …), as a superuser or a member of pg_checkpoint with the right to pg_backup_start and pg_backup_stop.
set -eu
export data=$1 to=$2
mkdir "$to"
rm -f "$to.failed" "$to.copied" "$to.label"
# What the server removes or changes during the copy comes from the WAL: tar then exits with 1, and with 2 if it could not read something.
export copy='
  tar -C "$data" --exclude=./postmaster.pid --exclude=./postmaster.opts --exclude="./pg_wal/*" --exclude="./pg_replslot/*" \
    --exclude="./pg_dynshmem/*" --exclude="./pg_notify/*" --exclude="pgsql_tmp*" -cf - . || [ $? -eq 1 ] || touch "$to.failed"'
psql --no-psqlrc --quiet --no-align --tuples-only --set=ON_ERROR_STOP=1 --set=label="$to.label" <<'SQL'
select pg_backup_start('base backup', fast => true) \g /dev/null
\! sh -c "$copy" | tar -C "$to" -xpf - && touch "$to.copied"
\o :label
select rtrim(labelfile, E'\n') from pg_backup_stop(wait_for_archive => true);
SQL
if [ -e "$to.failed" ] || [ ! -e "$to.copied" ] || [ ! -s "$to.label" ]; then
  echo "The data folder could not be copied: remove $to and try again" >&2
  exit 1
fi
mv "$to.label" "$to/backup_label"
rm "$to.copied"
chown --reference="$data" "$to" "$to/backup_label"
chmod 700 "$to"
echo "Base backup in $to"
