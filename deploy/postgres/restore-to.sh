#!/bin/sh
# Prepares a data folder that PostgreSQL recovers to a moment when it starts: sh restore-to.sh <base backup> <archive folder> <data folder> <time>
# The time is later than the end of the base backup, such as '2026-11-29 10:15:00 UTC'. The data folder is absent or empty.
set -eu
base=$1 archive=$2 data=$3
fail() {
  echo "$1" >&2
  exit 2
}
[ -e "$base/backup_label" ] || fail "$base is no base backup"
[ -d "$archive" ] || fail "$archive is no folder"
[ -z "$(ls -A "$data" 2>/dev/null)" ] || fail "$data is not empty: move it away, and keep it until all is well"
case $archive in *\'* | *\"* | *%*) fail "The archive folder cannot have quotes or % in its name" ;; esac
# PostgreSQL takes no names of time zones here.
time=$(date --utc --date "$4" "+%Y-%m-%d %H:%M:%S.%6N+00" 2>/dev/null) || fail "$4 is no time"
mkdir -p "$data"
cp -a "$base/." "$data/"
cat >>"$data/postgresql.auto.conf" <<CONF
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '$time'
recovery_target_action = 'promote'
CONF
touch "$data/recovery.signal"
chown --reference="$base" "$data" "$data/recovery.signal"
chmod 700 "$data"
echo "PostgreSQL recovers to $time when it starts"
