#!/usr/bin/env bash
# Installs the npm package as an ordinary user, and does the main job with it: scripts/try-package.ts.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d node_modules ] || npm ci
exec npm exec -- node scripts/try-package.ts "$@"
