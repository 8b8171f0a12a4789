import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';

interface Raised {
  kind: string;
  reason: string | null;
  operator: string | null;
  seen: boolean;
}

describe('an alert about the platform’s safety', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let merchant: TestMerchant;
  beforeEach(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve']);
    await tenant.person('dan', ['support']);
    merchant = await tenant.merchant();
    tenant.changes.onePerson = false;
    await tenant.database.sql`delete from alerts`;
  });
  afterEach(async () => {
    await tenant.close();
  });

  const raised = async (): Promise<Raised[]> =>
    await tenant.database.sql<Raised[]>`
      select kind, about ->> 'reason' as reason, about ->> 'operator' as operator,
        acknowledged_at is not null as seen
      from alerts order by position`;
  const propose = async (name: string, variables: object): Promise<{ id: string }> =>
    (
      await tenant.operate<{ change: { id: string } }>(name, {
        reason: 'test',
        ...variables,
      })
    ).change;
  const approved = async (name: string, variables: object): Promise<void> => {
    const { id } = await propose(name, variables);
    expect(await raised()).toEqual([]);
    await tenant.operate('ApproveChange', { id, reason: 'right' }, bob);
  };
  const operatorId = async (login: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from operators where login = ${login}`;
    return row?.id ?? '';
  };

  it.each([
    ['InviteOperator', { email: 'e@example.com', roles: ['approve'] }, 'NEW_APPROVER'],
    ['InviteOperator', { email: 'e@example.com', roles: ['support'] }, 'POWERS_GRANTED'],
    ['CreateRole', { input: { name: 'chief', permissions: ['ADMIN'] } }, 'NEW_APPROVER'],
    ['CreateRole', { input: { name: 'clerk', permissions: ['SUPPORT'] } }, 'POWERS_GRANTED'],
  ])('is raised for %s of %j after the approval', async (name, variables, kind) => {
    await approved(name, variables);
    expect(await raised()).toMatchObject([{ kind, operator: 'bob', seen: false }]);
  });

  it('is raised for roles, and differs for new approvers', async () => {
    const dan = await operatorId('dan');
    await approved('SetOperatorAccess', { operatorId: dan, roles: ['support', 'approve'] });
    expect(await raised()).toMatchObject([{ kind: 'NEW_APPROVER', reason: 'set operator access' }]);
    await tenant.database.sql`delete from alerts`;
    const roles = ['approve', 'reconcile', 'support'];
    await approved('SetOperatorAccess', { operatorId: dan, roles });
    expect(await raised()).toMatchObject([{ kind: 'POWERS_GRANTED' }]);
    await tenant.database.sql`delete from alerts`;
    // A change that only removes permissions raises none.
    await propose('SetOperatorAccess', { operatorId: dan, roles: ['support'] });
    await propose('SetOperatorDisabled', { operatorId: dan, disabled: true });
    expect(await raised()).toEqual([]);
    await approved('SetOperatorDisabled', { operatorId: dan, disabled: false });
    expect(await raised()).toMatchObject([{ kind: 'POWERS_GRANTED' }]);
  });

  it('is raised for a key with its merchant, but not for its proposal or its end', async () => {
    await approved('IssueApiKey', { merchantId: merchant.id });
    expect(await raised()).toMatchObject([{ kind: 'NEW_KEY', operator: 'bob' }]);
    const [row] = await tenant.database.sql`select merchant_id, about from alerts`;
    expect(row).toMatchObject({
      merchantId: merchant.id,
      about: { changeId: expect.any(String) as string },
    });
    const [key] = await tenant.database.sql<{ id: string }[]>`
      select id from api_keys where merchant_id = ${merchant.id} order by created_at desc limit 1`;
    await propose('RevokeApiKey', { id: key?.id });
    expect(await raised()).toHaveLength(1);
  });

  it('is raised for lists, rules, and a merchant’s allowed addresses', async () => {
    const listed = { list: 'ALLOW', bankCode: 'KBANK', accountNo: '1234567890' };
    await approved('ListBeneficiary', { ...listed, merchantId: merchant.id });
    const settings = [{ allowedAddresses: ['192.0.2.0/24'] }, { defaultCallbackUrl: 'https://other.example.com/x' }];
    for (const one of settings) {
      const { id } = await propose('UpdateMerchant', { id: merchant.id, settings: one });
      await tenant.operate('ApproveChange', { id, reason: 'right' }, bob);
    }
    const kinds = (await raised()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'SAFEGUARD_CHANGED')).toHaveLength(2);
  });

  it('is raised for a token, and a second factor', async () => {
    await tenant.operate('CreateApiToken', {
      label: 'reports',
      scopes: ['VIEW'],
      expiresAt: new Date(tenant.now().getTime() + 86_400_000).toISOString(),
    });
    expect(await raised()).toMatchObject([{ kind: 'NEW_API_TOKEN', operator: 'admin' }]);
  });

  it('counts as acknowledged by its author in a sandbox with one person', async () => {
    tenant.changes.onePerson = true;
    await propose('IssueApiKey', { merchantId: merchant.id });
    expect(await raised()).toMatchObject([{ kind: 'NEW_KEY', operator: 'admin', seen: true }]);
  });
});
