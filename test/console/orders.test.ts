import { billing } from './billing';
import { ledger } from './ledger';
import { money } from './money';
import { consoleSuite } from './suite';

consoleSuite('deposits, the ledger and billing', [money, ledger, billing]);
