// `npm run check:suites`: each suite has its place, `npm test` or only `npm run test:all` (test/support/places.js).
import { createRequire } from 'node:module';

const { faults } = createRequire(import.meta.url)('../test/support/places.js');
const found = faults();
for (const fault of found) console.error(`test/support/places.js: ${fault}`);
process.exitCode = found.length > 0 ? 1 : 0;
