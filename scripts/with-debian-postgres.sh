#!/usr/bin/env bash
# Runs a command with TEST_DATABASE_URL naming a PostgreSQL of Debian's packages: a cluster of its own in a temporary
# folder, on a private port of the loopback address, as user postgres; stopped by its own process id at the end.
# TEST_POSTGRES_BIN names the folder of its programs, for tests that kill a cluster: they make one of their own.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
folder=$(mktemp -d /tmp/datadeck-postgres.XXXXXX)
port=${TEST_POSTGRES_PORT:-54329}
chown postgres "$folder"
as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
cd "$folder"
as_postgres "$bin/initdb" -D "$folder/cluster" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
as_postgres "$bin/pg_ctl" -D "$folder/cluster" -w -l "$folder/log" \
  -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c max_connections=300" start >/dev/null
trap 'as_postgres "$bin/pg_ctl" -D "$folder/cluster" -m immediate stop >/dev/null; rm -rf "$folder"' EXIT
cd "$OLDPWD"
"$bin/postgres" --version
export TEST_POSTGRES_BIN="$bin"
TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$port/postgres" "$@"
