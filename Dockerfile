# One image for every role. The command names the role: gateway, graph, worker or migrate. A release builds it on a digest:
#   docker build --build-arg NODE_IMAGE="$(sed -n s/^NODE_IMAGE=//p deploy/images.env)" .
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY patches patches
COPY local/repair.mjs local/
RUN npm ci --no-audit --no-fund
# Named one by one: nothing of a developer's folder (modules, data, secrets) gets in.
COPY .swcrc main.ts config.ts codegen.ts ./
COPY domain domain
COPY crypto crypto
COPY channels channels
COPY statements statements
COPY db db
COPY workflows workflows
COPY steps steps
COPY temporal temporal
COPY graph graph
COPY gateway gateway
COPY roles roles
COPY runtime runtime
COPY cashier cashier
COPY console console
COPY tsconfig.json ./
COPY docs/schema.graphql docs/operations.graphql docs/
COPY local local
# Makes the types of GraphQL operations, compiles into dist/, bundles the workflows and the console, then drops what only
# development needs.
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/generated/persisted.json ./console/generated/
# Where a volume for MARKER_FOLDER goes: roles write there.
RUN mkdir -p /var/lib/causeway/marker && chown node /var/lib/causeway/marker
# The user `node`, by its number: Kubernetes cannot see from a name that it is not root.
USER 1000:1000
# As local/role-process.ts has it.
ENTRYPOINT ["node", "--max-semi-space-size=32", "--no-memory-reducer", "--no-flush-bytecode", "dist/main.js"]
CMD ["gateway"]
