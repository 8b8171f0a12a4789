// Loads TypeScript in a thread that a test starts, as jest loads it in the test: with the project's .swcrc.
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => {
  module._compile(transformFileSync(file).code, file);
};
