// Deposits and payouts through channels, and the watch over them. One suite in a run of all (jest.config.js).
import './channel-deposits.test';
import './payout-http.test';
import './payout-mock.test';
import './payout-recheck.test';
import './channel-watch.test';
