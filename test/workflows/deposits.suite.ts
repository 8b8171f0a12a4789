// Deposits as workflows. One suite in a run of all (jest.config.js).
import './deposit-order.test';
import './cashier-session.test';
import './wake-while-reading.test';
