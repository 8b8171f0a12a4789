import { Tenant } from '../support/tenant';

describe('smoke', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });
  it('works', async () => {
    const merchant = await tenant.merchant();
    const account = await tenant.account();
    await tenant.operate('SetBankAccountStatus', { id: account, status: 'PAUSED', reason: 'x' });
    const list = await tenant.operate('ChangeRequests', {});
    console.log(JSON.stringify(list, null, 1).slice(0, 3000));
    console.log(JSON.stringify(await tenant.operate('AuditLog', {}), null, 1).slice(0, 2000));
    expect(merchant.id).toBeTruthy();
  });
});
