// Statements over orders, payouts and callbacks. One suite when all tests run (jest.config.js).
import './accept-deposit.test';
import './claim-attempt.test';
import './credit-bodies.test';
import './deposit-cases.test';
import './deposit-transitions.test';
import './overdue.test';
import './withdrawal-transitions.test';
import './timeouts.test';
import './transaction.test';
import './credits.test';
