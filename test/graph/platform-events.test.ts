import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';

interface Put {
  readonly change: { readonly id: string; readonly status: string; readonly alone: string | null };
  readonly secret: string | null;
  readonly addresses: { readonly version: number; readonly webhookUrl: string | null } | null;
}

const HOOK = 'https://example.com/hook';

describe('the addresses of events', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let bob: OperatorActor;
  let view: OperatorActor;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    [bob, view] = await Promise.all([tenant.person('bob', ['approve']), tenant.person('view', ['view'])]);
  });
  beforeEach(() => {
    tenant.changes.onePerson = false;
  });
  afterAll(async () => {
    await tenant.close();
  });

  const put = async (input: Record<string, unknown>): Promise<Put> =>
    await tenant.operate('PutEventAddresses', {
      input: { event: 'billing_statement_issued', merchantId: merchant.id, ...input },
      reason: 'test',
    });
  const approve = async ({ change: { id } }: Put): Promise<unknown> =>
    await tenant.operate('ApproveChange', { id, reason: 'looked' }, bob);
  const inForce = async (by = tenant.operator): Promise<Record<string, unknown>[]> =>
    await tenant.operate('EventAddresses', {}, by);

  it('take two people to open, and one to close; the secret is shown once and changes with the URL', async () => {
    const first = await put({ mails: ['a@example.com', 'A@example.com '], webhookUrl: HOOK });
    expect(first).toMatchObject({ change: { status: 'PROPOSED' }, addresses: null });
    expect(first.secret).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(await inForce()).toEqual([]);
    await approve(first);
    expect(await inForce()).toMatchObject([
      { version: 1, mails: ['A@example.com'], webhookUrl: HOOK, merchant: { id: merchant.id } },
    ]);
    // The same URL keeps its secret, unless a new one is requested; another URL has its own.
    const mails = ['A@example.com'];
    const more = await put({ mails: [...mails, 'b@example.com'], webhookUrl: HOOK });
    expect([more.secret, more.change.status]).toEqual([null, 'PROPOSED']);
    for (const input of [{ newSecret: true }, { webhookUrl: `${HOOK}/2` }]) {
      const proposed = await put({ mails, webhookUrl: HOOK, ...input });
      expect(proposed.change.status).toBe('PROPOSED');
      expect(proposed.secret).not.toBeNull();
      expect(proposed.secret).not.toBe(first.secret);
    }
    const fewer = await put({ webhookUrl: HOOK });
    expect(fewer).toMatchObject({
      change: { status: 'APPLIED', alone: 'CLOSING' },
      secret: null,
      addresses: { version: 2, webhookUrl: HOOK },
    });
    await expect(approve(more)).rejects.toThrow('propose it again');
    expect(await put({})).toMatchObject({ change: { status: 'APPLIED' } });
    expect(await inForce()).toMatchObject([{ version: 3, mails: [], webhookUrl: null }]);
    const stored = JSON.stringify([
      await tenant.database.sql`select * from event_addresses`,
      await tenant.database.sql`select * from change_requests`,
      await tenant.database.sql`select * from audit_log`,
    ]);
    expect(stored).not.toContain(first.secret);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an invalid mail address', { mails: ['nobody'] }, 'nobody is no mail address'],
    [
      'too many mail addresses',
      { mails: Array.from({ length: 11 }, (_, n) => `a${String(n)}@example.com`) },
      'must be at most 10',
    ],
    ['a URL without TLS', { webhookUrl: 'http://example.com' }, 'must be an HTTPS URL'],
    ['a URL with a password', { webhookUrl: 'https://a:b@example.com' }, 'must not carry'],
    ['a merchant for an event of the platform', { event: 'alert_raised' }, 'must be null'],
    ['no merchant for an event of a merchant', { merchantId: null }, 'is required'],
    ['the removal of addresses that do not exist', { event: 'alert_raised', merchantId: null }, 'no address'],
  ])('refuse %s', async (_what, input, problem) => {
    await expect(put(input)).rejects.toThrow(problem);
  });

  it('are read, and deliveries resent, within an operator’s permissions and merchants', async () => {
    tenant.changes.onePerson = true;
    await put({ mails: ['c@example.com'] });
    await put({ event: 'alert_raised', merchantId: null, mails: ['d@example.com'] });
    const other = await tenant.merchant();
    const [own] = await tenant.database.sql<{ id: string }[]>`
      select id from event_addresses where merchant_id = ${merchant.id} order by version desc limit 1`;
    for (const [event, of] of [
      ['billing_statement_issued', merchant.id],
      ['alert_raised', null],
    ] as const)
      await tenant.database.sql`select raise_platform_event(${event}, ${of}, ${own?.id ?? ''}, now())`;
    const restricted = (merchantId: string, permissions: readonly string[]): OperatorActor => ({
      ...view,
      operator: {
        ...view.operator,
        merchantIds: [merchantId],
        permissions: new Set([...view.operator.permissions, ...permissions]) as never,
      },
    });
    const seen = async (by: OperatorActor) => [
      (await inForce(by)).length,
      (await tenant.operate<{ nodes: unknown[] }>('EventDeliveries', {}, by)).nodes.length,
    ];
    expect(await seen(view)).toEqual([2, 2]);
    expect(await seen(restricted(merchant.id, []))).toEqual([1, 1]);
    expect(await seen(restricted(other.id, []))).toEqual([0, 0]);

    const deliveries = await tenant.list<{ id: string; target: string }>('EventDeliveries');
    const resend = async (target: string, by: OperatorActor): Promise<unknown> => {
      const { id = '' } = deliveries.find((one) => one.target === target) ?? {};
      await tenant.database.sql`
        update event_deliveries set status = 'FAILED', next_attempt_at = null where id = ${id}`;
      return await tenant.operate('ResendEventDelivery', { id, reason: 'test' }, by);
    };
    await expect(resend('c@example.com', view)).rejects.toThrow('not allowed');
    await expect(resend('c@example.com', restricted(other.id, ['SUPPORT']))).rejects.toThrow('delivery');
    await expect(resend('d@example.com', restricted(merchant.id, ['SUPPORT']))).rejects.toThrow('delivery');
    const again = { status: 'WAITING_RETRY', attemptCount: 0 };
    expect(await resend('c@example.com', restricted(merchant.id, ['SUPPORT']))).toMatchObject(again);
    expect(await resend('d@example.com', tenant.operator as OperatorActor)).toMatchObject(again);
  });

  it('of the platform hide the secret from their proposer: another person fetches it, once', async () => {
    const ours = { event: 'alert_raised', merchantId: null, webhookUrl: HOOK };
    const fetched = async (id: string, by?: OperatorActor): Promise<string> => {
      const args = { id, reason: 'for the receiver' };
      return (await tenant.operate<{ secret: string }>('TakeEventSecret', args, by)).secret;
    };
    const [ann, cy] = await Promise.all([tenant.person('ann', ['configure']), tenant.person('cy', ['configure'])]);
    const newest = async (): Promise<{ id: string; secretWaits: boolean }> => {
      const rows = await tenant.operate<{ id: string; event: string; secretWaits: boolean }[]>('EventAddresses');
      const found = rows.find(({ event }) => event === 'alert_raised');
      if (!found) throw new Error('the platform has no addresses');
      return found;
    };
    // In a sandbox the proposer sees the secret, unless the request hides it.
    const shown = await put(ours);
    expect(shown.secret).not.toBeNull();
    await approve(shown);
    const { id: before, secretWaits } = await newest();
    expect(secretWaits).toBe(false);
    await expect(fetched(before, ann)).rejects.toThrow('was fetched before');

    const hidden = await put({ ...ours, newSecret: true, toOwner: true });
    expect(hidden.secret).toBeNull();
    await approve(hidden);
    const { id } = await newest();
    expect(await newest()).toMatchObject({ secretWaits: true });
    await expect(fetched(id)).rejects.toThrow('you proposed these addresses');
    // Another person's version that keeps the secret does not reveal it either.
    const kept = await tenant.operate<Put>(
      ...(['PutEventAddresses', { input: { ...ours, mails: ['o@example.com'] }, reason: 'more' }] as const),
      ann,
    );
    await approve(kept);
    const { id: last } = await newest();
    await expect(fetched(id, cy)).rejects.toThrow('is not in force');
    await expect(fetched(last)).rejects.toThrow('you proposed these addresses');
    await expect(fetched(last, ann)).rejects.toThrow('you proposed these addresses');
    const both = await Promise.allSettled([fetched(last, cy), fetched(last, cy)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [secret] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(secret).not.toBe(shown.secret);
    expect(await newest()).toMatchObject({ id: last, secretWaits: false });
    const noted = await tenant.database.sql`
      select operator_id, outcome from audit_log where action = 'takeEventSecret' and outcome = 'OK'`;
    expect(noted).toEqual([{ operatorId: cy.operator.id, outcome: 'OK' }]);
  });
});
