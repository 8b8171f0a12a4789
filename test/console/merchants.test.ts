import { cashier } from './cashier';
import { merchants } from './merchants';
import { settlementPlans } from './settlement-plans';
import { consoleSuite } from './suite';

consoleSuite('merchants, their settlement plans and the cashier', [
  merchants,
  settlementPlans,
  cashier,
]);
