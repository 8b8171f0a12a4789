const path = require('node:path');
const { readdirSync } = require('node:fs');
const { filesOfSuites } = require('./suites');

const TESTS = path.join(__dirname, '..');

/**
 * The place of each suite: `npm test` runs CORE, `npm run test:all` runs both. A file that a `*.suite.ts` imports has the
 * place of that suite, and a named file runs whatever its place. In CORE is what finds a loss of money or of trust in
 * minutes; sizes, repetitions and single pages are in REST.
 */
const CORE = [
  'cashier/page.test',
  'cashier/payer.test',
  'channels/channels.suite',
  'chaos/attack.test',
  'chaos/books.test',
  'chaos/restore.test',
  'chaos/verdict.test',
  'chaos/worker-kill.test',
  'config.test',
  'console/places.test',
  'console/smoke.test',
  'crypto/callback-body.test',
  'crypto/crypto.suite',
  'crypto/sealed-statements.test',
  'db/books.test',
  'db/catalogue.test',
  'db/migrations.test',
  'db/orders.suite',
  'db/others.suite',
  'db/release.test',
  'domain/rules.suite',
  'domain/search-forms.test',
  'domain/signing-vectors.test',
  'e2e/deposit.test',
  'e2e/driver.test',
  'e2e/sigterm.test',
  'gateway/merchants.suite',
  'gateway/others.suite',
  'gateway/outage.test',
  'gateway/requests.suite',
  'graph/access.suite',
  'graph/ledger.suite',
  'graph/orders.suite',
  'graph/outlet.test',
  'graph/schema.suite',
  'local/local.suite',
  'local/pin-images.test',
  'races/money.suite',
  'replay/replay.test',
  'runtime/runtime.suite',
  'statements/statements.suite',
  'temporal/claim-policy.test',
  'temporal/http/callback-sender.test',
  'temporal/http/http.suite',
  'temporal/http/tls.test',
  'temporal/start-pace.test',
  'temporal/temporal.suite',
  'verifier/verify-callback.test',
  'workflows/callbacks.suite',
  'workflows/deposits.suite',
  'workflows/payouts.suite',
];

const REST = [
  'cashier/states.test',
  'console/access.test',
  'console/books.test',
  'console/channels.test',
  'console/merchants.test',
  'console/outages.test',
  'console/payers.test',
  'console/payouts.test',
  'console/unmatched.test',
  'db/hot-updates.test',
  'db/ledger-model.test',
  'db/mutants.test',
  'db/post-transfers.test',
  'db/rows.test',
  'db/statements.test',
  'db/wakes.suite',
  'e2e/gateway-processes.test',
  'e2e/leaks.test',
  'e2e/npm-start.test',
  'e2e/own-schema.test',
  'e2e/production-packages.test',
  'e2e/stuck-orders.test',
  'e2e/stuck-payouts.test',
  'e2e/trace.test',
  'gateway/agent-enrolment.test',
  'gateway/channel-orders.suite',
  'gateway/load.test',
  'gateway/rude-clients.test',
  'graph/fees.suite',
  'graph/list-plans.test',
  'graph/lists.suite',
  'graph/operators.suite',
  'graph/parties.suite',
  'graph/statement-forms.test',
  'graph/statements.suite',
  'graph/two-processes.test',
  'graph/walk.test',
  'local/check-workflows.test',
  'local/postgres.test',
  'local/run.test',
  'local/setup.test',
  'races/key-rotation.test',
  'races/platform-keys.test',
  'races/received-limits.test',
  'readme.test',
  'roles/roles.suite',
  'temporal/others.suite',
  'temporal/worker-version.test',
  'workflows/channels.suite',
  'workflows/messages.suite',
];

/** The files of suites that only `npm run test:all` runs, as absolute paths. */
exports.filesOfRest = () => REST.map((name) => path.join(TESTS, `${name}.ts`));

/** The names of all suites that are there. */
function suites() {
  const imported = new Set(filesOfSuites());
  return readdirSync(TESTS, { recursive: true })
    .filter((file) => /\.(test|suite)\.ts$/.test(file) && !imported.has(path.join(TESTS, file)))
    .map((file) => file.replace(/\.ts$/, ''));
}

/** What is wrong with the lists, a line each: each suite has one place. */
exports.faults = (there = suites(), core = CORE, rest = REST) => [
  ...there
    .filter((name) => !core.includes(name) && !rest.includes(name))
    .map((name) => `test/${name}.ts has no place: put it into CORE or REST`),
  ...core.filter((name) => rest.includes(name)).map((name) => `${name} has two places`),
  ...[...core, ...rest]
    .filter((name) => !there.includes(name))
    .map((name) => `${name} has a place, but there is no such suite`),
];
