import { cashier } from './cashier';
import { payers } from './payers';
import { personal } from './personal';
import { settlementPlans } from './settlement-plans';
import { consoleSuite } from './suite';

// The person last: it takes a permission from an operator.
consoleSuite('settlement plans, the cashier, payers and their data', [settlementPlans, cashier, payers, personal]);
