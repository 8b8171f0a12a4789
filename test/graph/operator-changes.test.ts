import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';

interface Changed {
  change: { id: string; status: string; alone: string | null };
  operator: { roles: string[]; merchantIds: string[] | null; disabledAt: string | null };
  role: { permissions: string[]; approveLimits: { amount: string }[] | null } | null;
  invitation: { id: string; email: string; roles: string[] } | null;
}
const PROPOSED = { change: { status: 'PROPOSED', alone: null } };
const CLOSED = { change: { status: 'APPLIED', alone: 'CLOSING' } };

describe('operators and their permissions', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let dan: OperatorActor;
  let merchant: TestMerchant;

  beforeEach(async () => {
    tenant = await Tenant.create();
    [bob, dan] = [await tenant.person('bob', ['approve']), await tenant.person('dan', ['support'])];
    merchant = await tenant.merchant();
    tenant.changes.onePerson = false;
  });
  afterEach(async () => {
    await tenant.close();
  });

  const propose = async (name: string, variables: object, actor = tenant.operator): Promise<Changed> =>
    await tenant.operate<Changed>(name, { reason: 'test', ...variables }, actor);
  const approve = async ({ change }: Changed, actor = bob): Promise<{ status: string }> =>
    await tenant.operate('ApproveChange', { id: change.id, reason: 'right' }, actor);
  const access = async (roles: string[], merchantIds?: string[]): Promise<Changed> =>
    await propose('SetOperatorAccess', { operatorId: dan.operator.id, roles, merchantIds });
  const disable = async (disabled: boolean, operatorId = dan.operator.id): Promise<Changed> =>
    await propose('SetOperatorDisabled', { operatorId, disabled });
  const role = async (name: string, input: object): Promise<Changed> =>
    await propose(name, { input: { name: 'clerk', ...input } });
  const addClerk = async (): Promise<void> => {
    await approve(await role('CreateRole', { permissions: ['SUPPORT'] }));
  };
  const danNow = async (): Promise<object> => await tenant.operate<object>('Operator', { id: dan.operator.id });
  /** A login of dan's. */
  const session = async (): Promise<string> =>
    (
      await tenant.operate<{ token: string }>(
        'Login',
        { login: 'dan', password: 'a password of the tests' },
        { kind: 'anonymous' },
      )
    ).token;
  const sessions = async (): Promise<number> => {
    const rows = await tenant.database.sql`
      select from operator_sessions where operator_id = ${dan.operator.id}`;
    return rows.length;
  };

  describe('an invitation', () => {
    it('is mailed after its approval, and gives the invited person the approved roles', async () => {
      const wanted = { email: 'eve@example.com', roles: ['support', 'view', 'view'] };
      const proposed = await propose('InviteOperator', { ...wanted, merchantIds: [merchant.id] });
      expect(proposed).toMatchObject({ ...PROPOSED, invitation: null });
      expect(await tenant.database.sql`select from mails`).toHaveLength(0);
      expect(await approve(proposed)).toMatchObject({ status: 'APPLIED' });
      expect(await tenant.list('Invitations')).toMatchObject([
        {
          email: 'eve@example.com',
          roles: ['support', 'view'],
          merchantIds: [merchant.id],
          mails: [{ event: 'tenant_owner_invite', status: 'QUEUED' }],
        },
      ]);
    });

    it('is never mailed if it is rejected', async () => {
      const { change } = await propose('InviteOperator', {
        email: 'e@example.com',
        roles: ['view'],
      });
      await tenant.operate('RejectChange', { id: change.id, reason: 'who is that' }, bob);
      expect(await tenant.list('Invitations')).toEqual([]);
    });

    it.each([
      ['email', { email: 'nobody', roles: ['view'] }],
      ['roles', { email: 'eve@example.com', roles: [] }],
      ['the role king does not exist', { email: 'eve@example.com', roles: ['king'] }],
    ])('is refused, naming %s', async (named, variables) => {
      await expect(propose('InviteOperator', variables)).rejects.toThrow(named);
    });
  });

  describe('access', () => {
    it('is given by two people, and ends the operator’s sessions', async () => {
      await session();
      const proposed = await access(['support', 'reconcile']);
      expect(proposed).toMatchObject({ ...PROPOSED, operator: { roles: ['support'] } });
      expect(await sessions()).toBe(1);
      await approve(proposed);
      expect(await danNow()).toMatchObject({ roles: ['reconcile', 'support'], merchantIds: null });
      expect(await sessions()).toBe(0);
    });

    it('is removed by one person, at once: roles, or all merchants but some', async () => {
      await approve(await access(['support', 'reconcile']));
      await session();
      expect(await access(['support'])).toMatchObject({
        ...CLOSED,
        operator: { roles: ['support'] },
      });
      expect(await sessions()).toBe(0);
      expect(await access(['support'], [merchant.id])).toMatchObject({
        ...CLOSED,
        operator: { merchantIds: [merchant.id] },
      });
      // Restoring all merchants widens access.
      expect(await access(['support'])).toMatchObject(PROPOSED);
      // Replacing a role widens access, too.
      expect(await access(['reconcile'], [merchant.id])).toMatchObject(PROPOSED);
    });

    it('is never approved by the operator concerned, or by its proposer', async () => {
      const proposed = await propose('SetOperatorAccess', {
        operatorId: bob.operator.id,
        roles: ['approve', 'treasurer'],
      });
      await expect(approve(proposed)).rejects.toThrow('change to your own permissions');
      if (tenant.operator.kind !== 'operator') throw new Error('no operator');
      await expect(approve(proposed, tenant.operator)).rejects.toThrow('approve your own change');
    });

    it('is refused for unknown roles and merchants, and if no one with ADMIN would remain', async () => {
      await expect(access(['king'])).rejects.toThrow('the role king does not exist');
      await expect(access(['support'], [dan.operator.id])).rejects.toMatchObject({
        kind: 'NOT_FOUND',
      });
      const [admin] = await tenant.database.sql<{ id: string }[]>`
        select id from operators where login = 'admin'`;
      const own = { operatorId: admin?.id, roles: ['view'] };
      await expect(propose('SetOperatorAccess', own)).rejects.toThrow('must keep ADMIN');
      await expect(disable(true, admin?.id)).rejects.toThrow('must keep ADMIN');
    });

    it('is stale if it was changed since', async () => {
      const proposed = await access(['support', 'reconcile']);
      await access(['support'], [merchant.id]);
      await expect(approve(proposed)).rejects.toMatchObject({
        kind: 'CONFLICT',
        message: expect.stringContaining('merchantIds') as string,
      });
    });
  });

  describe('disabling an operator', () => {
    it('needs one person and ends sessions; enabling needs two', async () => {
      await session();
      const shut = await disable(true);
      expect(shut).toMatchObject(CLOSED);
      expect(shut.operator.disabledAt).not.toBeNull();
      expect(await sessions()).toBe(0);
      await expect(session()).rejects.toMatchObject({ kind: 'UNAUTHENTICATED' });
      const proposed = await disable(false);
      expect(proposed).toMatchObject(PROPOSED);
      await expect(session()).rejects.toMatchObject({ kind: 'UNAUTHENTICATED' });
      await approve(proposed);
      expect(await session()).toBeTruthy();
      await expect(disable(false)).rejects.toThrow('nothing would change');
    });
  });

  describe('a role', () => {
    it('is created by two people, with VIEW and its limits', async () => {
      const limits = [{ currencyCode: 'THB', amount: '500.5' }];
      const proposed = await role('CreateRole', {
        permissions: ['APPROVE'],
        approveLimits: limits,
      });
      expect(proposed).toMatchObject({ ...PROPOSED, role: null });
      await approve(proposed);
      const roles = await tenant.list<{ name: string }>('Roles');
      expect(roles.find(({ name }) => name === 'clerk')).toMatchObject({
        permissions: ['VIEW', 'APPROVE'],
        builtIn: false,
        approveLimits: [{ currencyCode: 'THB', amount: '500.5000' }],
      });
      await expect(role('CreateRole', { permissions: [] })).rejects.toThrow('already exists');
      // A role's id is its name, not a UUID, although the filter's type is ID.
      const filter = { subjectKind: 'ROLE', subjectId: 'clerk' };
      expect(await tenant.list('ChangeRequests', { filter })).toMatchObject([
        { kind: 'CREATE_ROLE', subject: { kind: 'ROLE', id: 'clerk' } },
      ]);
    });

    it('is changed by two people who do not have it, and ends the sessions of those who have', async () => {
      await addClerk();
      await approve(await access(['support', 'clerk']));
      await session();
      const proposed = await role('UpdateRole', { permissions: ['SUPPORT', 'APPROVE'] });
      expect(proposed).toMatchObject({ ...PROPOSED, role: { permissions: ['VIEW', 'SUPPORT'] } });
      const clerk: OperatorActor = {
        ...bob,
        operator: { ...bob.operator, roles: ['approve', 'clerk'] },
      };
      await expect(approve(proposed, clerk)).rejects.toThrow('change to your own permissions');
      await approve(proposed);
      expect(await sessions()).toBe(0);
      expect(await tenant.operate('Operator', { id: dan.operator.id })).toMatchObject({
        permissions: ['VIEW', 'SUPPORT', 'APPROVE'],
      });
    });

    it('is removed by one person if no operator has it', async () => {
      await addClerk();
      await approve(await access(['support', 'clerk']));
      const remove = async (): Promise<Changed> => await propose('DeleteRole', { name: 'clerk' });
      await expect(remove()).rejects.toThrow('in use');
      await access(['support']);
      expect(await remove()).toMatchObject(CLOSED);
      expect(JSON.stringify(await tenant.list('Roles'))).not.toContain('clerk');
      await expect(remove()).rejects.toMatchObject({ kind: 'NOT_FOUND' });
    });

    it('never changes if it is built in', async () => {
      await expect(role('UpdateRole', { name: 'view', permissions: ['ADMIN'] })).rejects.toThrow(
        'a built-in role cannot be changed',
      );
      await expect(propose('DeleteRole', { name: 'view' })).rejects.toThrow('built in');
    });

    it.each([
      ['name', { name: 'The Clerk', permissions: [] }],
      ['currencyCode', { permissions: [], approveLimits: [{ currencyCode: 'XXX', amount: '1' }] }],
      ['amount', { permissions: [], approveLimits: [{ currencyCode: 'THB', amount: '0.001' }] }],
      ['amount', { permissions: [], approveLimits: [{ currencyCode: 'THB', amount: '-1' }] }],
    ])('is refused if its %s is wrong', async (named, input) => {
      await expect(role('CreateRole', input)).rejects.toMatchObject({
        kind: 'INVALID_FIELD',
        message: expect.stringContaining(named) as string,
      });
    });
  });

  it('is managed only by operators with ADMIN and all merchants', async () => {
    const input = { name: 'clerk', permissions: ['ADMIN'] };
    for (const actor of [
      tenant.operatorWith(['VIEW', 'CONFIGURE', 'APPROVE', 'TREASURER']),
      tenant.operatorWith(['VIEW', 'ADMIN'], [merchant.id]),
    ])
      for (const [name, variables] of [
        ['InviteOperator', { email: 'eve@example.com', roles: ['admin'] }],
        ['SetOperatorAccess', { operatorId: dan.operator.id, roles: ['admin'] }],
        ['SetOperatorDisabled', { operatorId: dan.operator.id, disabled: true }],
        ['CreateRole', { input }],
        ['UpdateRole', { input: { ...input, name: 'view' } }],
        ['DeleteRole', { name: 'view' }],
      ] as const)
        await expect(propose(name, variables, actor)).rejects.toMatchObject({
          kind: 'AUTHORIZATION_ERROR',
        });
  });
});
