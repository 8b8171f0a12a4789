import { cashier } from './cashier';
import { merchants } from './merchants';
import { payers } from './payers';
import { settlementPlans } from './settlement-plans';
import { consoleSuite } from './suite';

consoleSuite('merchants, their settlement plans, payers and the cashier', [
  merchants,
  settlementPlans,
  payers,
  cashier,
]);
