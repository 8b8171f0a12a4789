// Payouts as workflows. One suite in a run of all (jest.config.js).
import './withdrawal-order.test';
import './payout-cuts.test';
