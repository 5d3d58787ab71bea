#!/bin/sh
# PostgreSQL's archive_command: sh archive-wal.sh <path of the WAL file> <its name> <archive folder>
# A file is complete under its name, or absent. One that is archived already must be the same.
set -eu
path=$1 name=$2 archive=$3
if [ -e "$archive/$name" ]; then
  cmp -s "$path" "$archive/$name"
  exit
fi
cp "$path" "$archive/.$name"
sync "$archive/.$name"
mv "$archive/.$name" "$archive/$name"
sync "$archive"
