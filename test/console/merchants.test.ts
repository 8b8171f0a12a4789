import { cashier } from './cashier';
import { merchants } from './merchants';
import { consoleSuite } from './suite';

consoleSuite('merchants and the cashier', [merchants, cashier]);
