# One image for every role. The command names the role: gateway, graph, worker or migrate.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches patches
COPY local/repair.mjs local/
RUN npm ci
# Named one by one: nothing of a developer's folder (modules, data, secrets) gets in.
COPY .swcrc main.ts config.ts codegen.ts ./
COPY domain domain
COPY crypto crypto
COPY channels channels
COPY statements statements
COPY db db
COPY workflows workflows
COPY temporal temporal
COPY graph graph
COPY gateway gateway
COPY roles roles
COPY runtime runtime
COPY cashier cashier
COPY console console
COPY tsconfig.json ./
COPY docs/schema.graphql docs/
COPY local local
# Makes the types of GraphQL operations, compiles into dist/, bundles the workflows and the console, then drops what only
# development needs.
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/generated/persisted.json ./console/generated/
# Where a volume for MARKER_FOLDER goes: roles write there.
RUN mkdir -p /var/lib/causeway/marker && chown node /var/lib/causeway/marker
USER node
# As local/role-process.ts has it.
ENTRYPOINT ["node", "--max-semi-space-size=32", "dist/main.js"]
CMD ["gateway"]
