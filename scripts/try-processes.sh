#!/usr/bin/env bash
# Kills one of two web and two worker processes every ten seconds under load: scripts/try-processes.ts. Needs Debian's
# PostgreSQL 15 and HAProxy; installs them as root.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d node_modules ] || npm ci
if ! command -v haproxy >/dev/null; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Missing programs. Debian 12: apt-get install haproxy" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq haproxy >/dev/null
fi
exec bash scripts/with-debian-postgres.sh npm exec -- node scripts/try-processes.ts "$@"
