import { billing } from './billing';
import { ledger } from './ledger';
import { postings } from './postings';
import { statements } from './statements';
import { consoleSuite } from './suite';

consoleSuite('the ledger, billing, postings, returns and statements', [ledger, billing, postings, statements]);
