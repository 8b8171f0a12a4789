// Merchants' orders at channels, from the request to the money. One suite in a run of all (jest.config.js).
import './sandbox-outcomes.test';
import '../workflows/mapped-money.test';
import './deposit-fields.test';
