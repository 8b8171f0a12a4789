// Statements over orders, payouts and callbacks. One suite when all tests run (jest.config.js).
import './accept-deposit.test';
import './channel-wakes.test';
import './channels.test';
import './claim-attempt.test';
import './credit-age.test';
import './credit-bodies.test';
import './deposit-cases.test';
import './deposit-transitions.test';
import './month-volumes.test';
import './overdue.test';
import './payout-rechecks.test';
import './payout-references.test';
import './payout-wakes.test';
import './withdrawal-transitions.test';
import './purge.test';
import './timeouts.test';
import './transaction.test';
