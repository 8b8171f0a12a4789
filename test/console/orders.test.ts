import { billing } from './billing';
import { ledger } from './ledger';
import { money } from './money';
import { consoleSuite } from './suite';
import { withdrawals } from './withdrawals';

consoleSuite('deposits, withdrawals and the ledger', [money, withdrawals, ledger, billing]);
