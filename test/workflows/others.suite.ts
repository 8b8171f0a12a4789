// All other workflows. One suite in a run of all (jest.config.js).
import './callback-delivery.test';
import './mail-delivery.test';
import './platform-events.test';
import './sandbox-purge.test';
import './sweeps.test';
