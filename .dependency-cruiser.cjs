/** Who may import whom. A room sees only the rooms named here. */
const rooms = {
  domain: [],
  runtime: [],
  crypto: ['domain'],
  channels: ['domain'],
  statements: ['domain'],
  db: ['domain'],
  workflows: ['domain'],
  steps: ['channels', 'statements', 'crypto', 'db', 'domain'],
  temporal: ['workflows', 'steps', 'channels', 'crypto', 'db', 'domain'],
  graph: ['steps', 'channels', 'statements', 'crypto', 'db', 'domain'],
  // Never steps: the facade runs typed operations, through the resolvers and the guards of the schema.
  gateway: ['graph', 'domain'],
  console: ['domain'],
  cashier: [],
  local: ['domain'],
  roles: ['local', 'gateway', 'graph', 'temporal', 'steps', 'channels', 'crypto', 'db', 'domain'],
  bench: ['local', 'gateway', 'graph', 'temporal', 'steps', 'crypto', 'db', 'domain'],
  simulator: [],
  chaos: ['local', 'simulator'],
  // The model of the ledger is separate from the platform, whose own statements it is compared with.
  'chaos/ledger': ['chaos', 'local', 'db', 'domain'],
};

/** Rooms within a room follow their own rule alone. */
const within = (room) =>
  Object.keys(rooms)
    .filter((other) => other.startsWith(`${room}/`))
    .map((other) => `^${other}/`);

/** The vocabulary that every room but the deterministic ones may use. */
const shared = '^runtime/';

const ownFiles =
  '^((domain|crypto|channels|statements|db|workflows|steps|temporal|graph|gateway|console|cashier|local|roles|simulator|bench|chaos|test|runtime)/|(main|config)\\.ts$)';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      // The gateway's OpenAPI is printed by `npm run generate`; the files at the end are a developer's.
      from: {
        pathNot:
          '^((test|local|deploy|console|cashier|bench|chaos)/|gateway/openapi\\.ts$|(codegen|drizzle\\.config)\\.ts$|eslint\\.config\\.mjs$)',
      },
      // A package of types alone resolves to no file.
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'],
        pathNot: '^@graphql-typed-document-node/core$',
      },
    },
    ...Object.entries(rooms).map(([room, may]) => ({
      name: `${room}-sees-only-${may.join('-') || 'itself'}`,
      severity: 'error',
      from: { path: `^${room}/`, pathNot: within(room) },
      to: {
        path: ownFiles,
        pathNot: [
          `^${room}/`,
          ...may.map((other) => `^${other}/`),
          ...(['domain', 'workflows'].includes(room) ? [] : [shared]),
          // Activities cross into workflows as types alone.
          ...(room === 'workflows' ? ['^temporal/activities/'] : []),
          // Settings are a role's; the floors are programs of their own, with the settings of a role.
          ...(['roles', 'bench'].includes(room) ? ['^config\\.ts$'] : []),
        ],
      },
    })),
    {
      name: 'workflows-see-activities-as-types-only',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^temporal/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'deterministic-code-touches-no-node',
      severity: 'error',
      from: { path: '^(domain|workflows)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'gateway-sees-graph-by-its-index',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^graph/', pathNot: '^graph/(index|generated/operations)\\.ts$' },
    },
    {
      name: 'only-roles-read-config',
      severity: 'error',
      from: { pathNot: '^(main\\.ts|roles/|bench/floor/|test/)' },
      to: { path: '^config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      // It would load type-graphql and some 300 modules for nothing.
      name: 'the-worker-loads-no-graph',
      severity: 'error',
      from: { path: '^roles/worker\\.ts$' },
      to: { path: '^graph/', reachable: true },
    },
    {
      // A step that moves money is reachable only through its row in the table of authority.
      name: 'only-the-authority-issues-warrants',
      severity: 'error',
      // A resolver asks for the caller's, and hands it to its step; an approved change has its own.
      from: {
        pathNot: '^(graph/authority/warrant\\.ts$|steps/changes/change-warrant\\.ts$|test/|bench/|chaos/)',
      },
      to: { path: '^domain/authority/issue\\.ts$' },
    },
    {
      name: 'steps-reach-no-graphql',
      severity: 'error',
      from: { path: '^steps/' },
      to: {
        path: 'node_modules/(graphql|type-graphql|graphql-[^/]+|dataloader|@apollo|@as-integrations|@graphql-[^/]+)/',
        reachable: true,
      },
    },
    {
      // An activity acts for nobody: it imports a step only if that takes no actor, nor anything that has one.
      name: 'temporal-sees-steps-without-an-actor',
      severity: 'error',
      from: { path: '^temporal/' },
      to: { path: '^steps/access/', reachable: true },
    },
    {
      name: 'nobody-imports-the-outside',
      severity: 'error',
      from: {
        pathNot: '^(test|local|roles|bench|chaos|main\\.ts|codegen\\.ts|jest\\.config\\.js)',
      },
      to: { path: '^(main\\.ts|roles/|local/|test/)' },
    },
    {
      name: 'nobody-imports-the-printing-of-openapi',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^gateway/openapi\\.ts$' },
    },
    {
      name: 'nobody-imports-the-console',
      severity: 'error',
      from: { pathNot: '^(test|console)/' },
      to: { path: '^console/' },
    },
    {
      name: 'nobody-imports-the-script-of-the-cashier',
      severity: 'error',
      from: { pathNot: '^cashier/' },
      to: { path: '^cashier/' },
    },
    {
      name: 'nobody-imports-the-simulator',
      severity: 'error',
      from: { pathNot: '^(test|chaos|simulator)/' },
      to: { path: '^simulator/' },
    },
    {
      name: 'nobody-imports-bench',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^bench/' },
    },
    {
      name: 'nobody-imports-chaos',
      severity: 'error',
      from: { pathNot: '^(test|chaos)/' },
      to: { path: '^chaos/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Packages are not followed, but stay visible: rules name them.
    exclude: { path: '^(dist|coverage|\\.causeway)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['require', 'import', 'node', 'types', 'default'],
    },
  },
};
