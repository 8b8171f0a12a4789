import { uuidv7 } from 'uuidv7';
import { findDepositCases } from '../../db/deposits/deposits';
import { matchedDeposit } from '../support/deposits';
import { Tenant } from '../support/tenant';

describe('deposits that are read together', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('stand where their ids do, also twice, and none where there is none', async () => {
    const merchant = await tenant.merchant();
    const accountId = await tenant.account();
    const first = await matchedDeposit(tenant, merchant, accountId, { amount: '100', fee: '1.5' });
    const second = await matchedDeposit(tenant, merchant, accountId, { amount: '250', fee: '2' });
    const ids = [second.id, uuidv7(), first.id, second.id];
    const cases = await findDepositCases(tenant.database, ids);
    const parts = cases.map(
      (found) => found && [found.orderNo, found.received?.toFixed(), found.charge?.toFixed(), found.status],
    );
    const is = [first.orderNo, '100', '1.5', 'MATCHED'];
    const other = [second.orderNo, '250', '2', 'MATCHED'];
    expect(parts).toEqual([other, undefined, is, other]);
  });
});
