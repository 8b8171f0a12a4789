// The ledger, the float and credits that need a person. One suite in a run of all (jest.config.js).
import './day-closes.test';
import './float.test';
import './one-payment.test';
import './statement-proof.test';
import './statement-twice.test';
