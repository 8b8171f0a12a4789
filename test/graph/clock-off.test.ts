import { Tenant } from '../support/tenant';

describe("a graph whose machine's clock is off", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('refuses mutations with SERVICE_UNAVAILABLE until it is right again, and answers queries', async () => {
    let isOff = true;
    Object.assign(tenant.graph.core, { isClockOff: () => isOff });
    const merchant = async () => await tenant.merchant();
    await expect(merchant()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await tenant.list('Merchants')).toEqual([]);
    isOff = false;
    await merchant();
    expect(await tenant.list('Merchants')).toHaveLength(1);
  });
});
