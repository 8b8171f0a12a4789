// Small races about money. One suite when all tests run (jest.config.js).
import './bank-debits.test';
import './cashier.test';
import './one-payment.test';
import './received-limits.test';
import './withdrawal-balance.test';
