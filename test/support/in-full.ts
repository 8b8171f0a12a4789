import { shared } from './run-folder';

/** Whether the run is more than `npm test` of all: `npm run test:all`, or one of named files. */
export const inFull = process.env[shared.inShort] === undefined;

/** A test that `npm test` of all leaves out because it takes long. */
export const itInFull = inFull ? it : it.skip;
