// The relay and the workers beside Temporal. One suite in a run of all (jest.config.js).
import './dropped-types.test';
import './expire-deposit.test';
import './lost-worker.test';
import './relay.test';
import './relay-loop.test';
import './starts.test';
import './sweeps.test';
import './sweep-steps.test';
