// Pace, lanes, TLS and the workflows' sandbox. One suite in a run of all (jest.config.js).
import './books.test';
import './callback-lanes.test';
import './credits-under-way.test';
import './expiry-pace.test';
import './sandbox.test';
import './tls.test';
