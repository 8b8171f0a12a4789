// The ledger, the float and credits that need a person. One suite when all tests run (jest.config.js).
import './day-closes.test';
import './float.test';
import './one-payment.test';
import './postings.test';
import './statement-proof.test';
import './statement-rules.test';
import './statement-twice.test';
import './statements.test';
import '../steps/totals.test';
import './workbench.test';
