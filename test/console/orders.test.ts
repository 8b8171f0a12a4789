import { billing } from './billing';
import { ledger } from './ledger';
import { money } from './money';
import { personal } from './personal';
import { consoleSuite } from './suite';

consoleSuite('deposits, the ledger and billing', [money, ledger, billing, personal]);
