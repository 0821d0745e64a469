#!/usr/bin/env bash
# Builds the Dockerfile with buildah, and runs the image as its user on a read-only root. The two base images are made by
# debootstrap, since a registry may be out of reach: Debian itself, and Debian with this project's Node and the system's npm.
# Needs root and the Debian packages buildah and debootstrap.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in buildah debootstrap; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install -y buildah debootstrap"; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "Run this as root: debootstrap and buildah make file systems."; exit 1; }

work=$(mktemp -d)
cleanup() {
  buildah rm --all >/dev/null 2>&1 || true
  buildah rmi --all --force >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/graph"\nrunroot = "%s/runroot"\n' "$work" "$work" >"$work/storage.conf"
export CONTAINERS_STORAGE_CONF="$work/storage.conf" BUILDAH_ISOLATION=chroot

echo "Making the base images"
# The mirror of the system's own packages.
mirror=$(apt-cache policy debootstrap | grep -oE '(https?|file)://[^ ]+' | head -n 1)
debootstrap --variant=minbase bookworm "$work/debian" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 5 "$work/debootstrap.log"; exit 1; }
base=$(buildah from scratch)
buildah add -q "$base" "$work/debian" / >/dev/null
buildah commit -q "$base" docker.io/library/debian:bookworm-slim >/dev/null
buildah copy -q "$base" node_modules/node-linux-*/bin/node /usr/local/bin/ >/dev/null
buildah copy -q "$base" "$(npm root -g)/npm" /usr/local/lib/node_modules/npm >/dev/null
buildah run "$base" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
buildah run "$base" -- ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
buildah commit -q "$base" docker.io/library/node:24-bookworm-slim >/dev/null

echo "Building the Dockerfile"
mkdir "$work/source"
git archive HEAD | tar -x -C "$work/source"
# npm in the build uses the registry and the certificates that npm uses here.
cat "$(npm config get globalconfig)" "$(npm config get userconfig)" 2>/dev/null | grep -v '^nodedir' >"$work/npmrc" || true
SECONDS=0
buildah bud -q --pull-never --volume "$work/npmrc:/root/.npmrc:ro" --volume /etc/ssl/certs:/etc/ssl/certs:ro -t datadeck "$work/source" >"$work/build.log" 2>&1 ||
  { tail -n 40 "$work/build.log"; exit 1; }
echo "Built in $SECONDS s: $(buildah images --format '{{.Size}}' datadeck)"

echo "Running it: user 10001, read-only root, empty volume"
image=$(buildah mount "$(buildah from --pull-never datadeck)")
mkdir "$work/data"
chown 10001:10001 "$work/data"
# The mounts are in a namespace of their own, which ends with the product.
cat >"$work/inside" <<END
#!/bin/sh
exec unshare --mount sh -ec '
  mount --bind "$image" "$image"
  mount -o remount,bind,ro "$image"
  mount -t proc proc "$image/proc"
  mount --rbind /dev "$image/dev"
  mount -t tmpfs tmpfs "$image/tmp"
  mount --bind "$work/data" "$image/data"
  exec env -i PATH=/opt/datadeck/node_modules/.bin:/usr/bin:/bin HOST=0.0.0.0 DATA_DIR=/data "\$@" \
    /usr/sbin/chroot --userspec=10001:10001 "$image" datadeck
' sh "\$@"
END
chmod +x "$work/inside"
npm exec -- node scripts/try-image.ts "$work/inside"
