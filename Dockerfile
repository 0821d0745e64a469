# The image of Datadeck: Debian, the npm package with its PostgreSQL and Node, and a user of its own.
#   docker build -t datadeck .
#   docker buildx build --platform linux/amd64,linux/arm64 -t datadeck .

# Builds the package once, on the machine that builds; it is the same for every architecture.
FROM --platform=$BUILDPLATFORM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm run build && npm pack --silent --pack-destination / ./dist && mv /datadeck-*.tgz /datadeck.tgz

# Installs it with the programs of the architecture that the image is for.
FROM --platform=$BUILDPLATFORM docker.io/library/node:24-bookworm-slim AS install
ARG TARGETARCH=amd64
COPY --from=build /datadeck.tgz /
WORKDIR /opt/datadeck
RUN npm install --ignore-scripts --no-audit --no-fund --os=linux --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)" /datadeck.tgz \
  && rm -rf node_modules/node-linux-*/include node_modules/node-linux-*/share

FROM docker.io/library/debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home datadeck
COPY --from=install /opt/datadeck /opt/datadeck
# PATH: the image has no other Node than the one that the package brings.
ENV PATH=/opt/datadeck/node_modules/.bin:$PATH HOST=0.0.0.0 DATA_DIR=/data
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["datadeck"]
