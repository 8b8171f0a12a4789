import { countAttempt } from '../../db/operators/login-throttles';
import { Tenant } from '../support/tenant';

describe('attempts at a login', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const first = new Date('2026-03-01T10:00:00.000Z');
  const after = (milliseconds: number): Date => new Date(first.getTime() + milliseconds);

  // Each request takes its time on arrival; the requests reach the database in another order.
  it('do not wait for each other where a failure brings no delay', async () => {
    const attempt = async (at: Date): Promise<boolean> =>
      await countAttempt(tenant.database, 'without-delay', [0, 0, 0], at);
    expect(await attempt(first)).toBe(true);
    expect(await attempt(after(5))).toBe(true);
    expect(await attempt(after(3))).toBe(true);
  });

  it('wait where a failure brings a delay', async () => {
    const attempt = async (at: Date): Promise<boolean> =>
      await countAttempt(tenant.database, 'with-delay', [0, 30], at);
    expect(await attempt(first)).toBe(true);
    expect(await attempt(after(5))).toBe(true);
    expect(await attempt(after(29_000))).toBe(false);
    expect(await attempt(after(30_005))).toBe(true);
  });
});
