import { Tenant } from '../support/tenant';

/** What the database itself refuses, for any caller. */
describe('a change request’s row', () => {
  let tenant: Tenant;
  let id: string;
  let other: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    const merchant = await tenant.merchant();
    await tenant.person('bob', ['approve']);
    const [bob] = await tenant.database.sql<{ id: string }[]>`
      select id from operators where login = 'bob'`;
    other = bob?.id ?? '';
    tenant.changes.onePerson = false;
    const { change } = await tenant.operate<{ change: { id: string } }>('UpdateMerchant', {
      id: merchant.id,
      settings: { canWithdraw: true },
      reason: 'test',
    });
    id = change.id;
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** Runs an update and rolls it back. */
  const tried = async (set: string): Promise<unknown> =>
    await tenant.database.transaction(async (tx) => {
      await tx.unsafe(`update change_requests set ${set} where id = '${id}'`);
      throw new Error('taken back');
    });
  const decided = `decided_at = now(), payload = null`;

  it.each([
    ['applied by its proposer', `status = 'APPLIED', decided_by = proposed_by, ${decided}`],
    ['applied without an approver', `status = 'APPLIED', ${decided}`],
    ['rejected by its proposer', `status = 'REJECTED', decided_by = proposed_by, ${decided}`],
    ['in an unknown status', `status = 'DONE', ${decided}`],
    ['open without a payload', 'payload = null'],
  ])('is never %s', async (_what, set) => {
    await expect(tried(set)).rejects.toMatchObject({
      constraint_name: 'change_requests_decision',
    });
  });

  it('is never withdrawn by anyone but its proposer', async () => {
    await expect(tried(`status = 'WITHDRAWN', decided_by = '${other}', ${decided}`)).rejects.toMatchObject({
      constraint_name: 'change_requests_decision',
    });
  });

  it.each([`after = '{}'`, `reason = 'another'`, `amount = 1, currency_code = 'THB'`])(
    'keeps what was proposed: %s',
    async (set) => {
      await expect(tried(set)).rejects.toMatchObject({ code: 'CW001' });
    },
  );

  it('may be applied by a third person, once', async () => {
    const apply = `status = 'APPLIED', decided_by = '${other}', ${decided}`;
    await expect(tried(apply)).rejects.toThrow('taken back');
    await tenant.database.sql.unsafe(`update change_requests set ${apply} where id = '${id}'`);
    await expect(tried(apply)).rejects.toMatchObject({ code: 'CW004' });
    await expect(tried(`status = 'PROPOSED'`)).rejects.toMatchObject({ code: 'CW004' });
    await expect(tenant.database.sql`delete from change_requests where id = ${id}`).rejects.toMatchObject({
      code: 'CW001',
    });
  });
});
