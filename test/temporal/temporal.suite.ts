// The relay and the workers beside Temporal. One suite in a run of all (jest.config.js).
import './books.test';
import './callback-lanes.test';
import './credits-under-way.test';
import './dropped-types.test';
import './expire-deposit.test';
import './expiry-pace.test';
import './lost-worker.test';
import './relay.test';
import './relay-loop.test';
import './sandbox.test';
import './starts.test';
import './sweeps.test';
import './tls.test';
