// Races about money, smaller ones. One suite in a run of all (jest.config.js).
import './bank-debits.test';
import './cashier.test';
import './received-limits.test';
import './withdrawal-balance.test';
