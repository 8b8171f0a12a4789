// Payouts as workflows. One suite in a run of all (jest.config.js).
import './withdrawal-order.test';
import './payout-cuts.test';
import './payout-http.test';
import './payout-mock.test';
import './payout-recheck.test';
