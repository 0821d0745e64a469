#!/usr/bin/env bash
# Kills the primary of a pg_auto_failover cluster while Datadeck works: scripts/try-failover.ts. Needs Debian's PostgreSQL 15,
# pg_auto_failover and HAProxy; installs them as root.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d node_modules ] || npm ci
packages=(postgresql-15 postgresql-15-auto-failover pg-auto-failover-cli haproxy)
if ! { command -v pg_autoctl && command -v haproxy && [ -x /usr/lib/postgresql/15/bin/postgres ]; } >/dev/null; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Missing programs. Debian 12: apt-get install ${packages[*]}" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq "${packages[@]}" >/dev/null
fi
exec npm exec -- node scripts/try-failover.ts "$@"
