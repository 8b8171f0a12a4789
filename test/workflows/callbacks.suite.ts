// Callbacks and the sweeps as workflows. One suite in a run of all (jest.config.js).
import './callback-delivery.test';
import './sweeps.test';
