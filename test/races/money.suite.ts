// Races about money. One suite in a run of all (jest.config.js).
import './bank-debits.test';
import './cashier.test';
import './one-payment.test';
import './withdrawal-balance.test';
import './deposits.test';
import './withdrawal-decisions.test';
