import { createTestChannel } from '../support/channel-tenant';
import { lateDeposit } from '../support/late-money';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';

interface Row {
  readonly orderNo: string;
  readonly rest: string;
  readonly endedAt: string | null;
}
interface Page {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

describe('the list of late money', () => {
  let tenant: Tenant;
  let ann: TestMerchant;
  let ben: TestMerchant;
  let clerk: OperatorActor;
  let [bank, wallet] = ['', ''];
  /** Ann's at the bank, Ann's at the wallet, Ben's at the bank: the last one has ended. */
  let [first, second, third] = ['', '', ''];

  beforeAll(async () => {
    tenant = await Tenant.create();
    let minutes = 0;
    // Each arrived a minute after the previous one.
    const began = Date.now();
    tenant.now = () => new Date(began + minutes * 60_000);
    await tenant.account();
    [ann, ben] = [await tenant.merchant(), await tenant.merchant()];
    const channel = async (name: string): Promise<string> =>
      (await createTestChannel(tenant, { kind: 'MOCK' }, { name })).id;
    [bank, wallet] = [await channel('By bank'), await channel('By wallet')];
    const late = async (merchant: TestMerchant, at: string): Promise<string> => {
      minutes += 1;
      return await lateDeposit(tenant, merchant, at);
    };
    first = await late(ann, bank);
    second = await late(ann, wallet);
    third = await late(ben, bank);
    await end('CreditLateMoney', third);
    await end('ReturnLateMoney', first, { amount: '40' });
    const person = await tenant.person('clerk', ['view']);
    clerk = { ...person, operator: { ...person.operator, merchantIds: [ben.id] } };
  });
  afterAll(async () => {
    await tenant.close();
  });

  const end = async (how: string, orderNo: string, fields: object = {}): Promise<unknown> =>
    await tenant.operate(how, { orderNo, reason: 'test', evidence: { text: 'seen' }, ...fields });
  const ask = async (variables: object, who?: OperatorActor): Promise<Page> =>
    await tenant.operate<Page>('LateReceipts', { ...variables }, who);
  const shown = async (filter: object, who?: OperatorActor): Promise<string[]> =>
    (await ask({ filter }, who)).nodes.map(({ orderNo }) => orderNo);

  it('shows for each receipt the amount, the rest and the channel', async () => {
    const { nodes } = await ask({});
    expect(nodes).toMatchObject([
      { orderNo: third, merchantId: ben.id, rest: '0.0000', endedAt: expect.any(String) as string },
      { orderNo: second, channelId: wallet, channelName: 'By wallet', endedAt: null },
      {
        orderNo: first,
        merchantId: ann.id,
        channelId: bank,
        channelName: 'By bank',
        currencyCode: 'THB',
        amount: '100.0000',
        cost: '1.0000',
        rest: '60.0000',
      },
    ]);
  });

  it('is filtered, sorted and read page by page', async () => {
    expect(await shown({ waits: true })).toEqual([second, first]);
    expect(await shown({ waits: false })).toEqual([third]);
    expect(await shown({ channelId: [bank] })).toEqual([third, first]);
    expect(await shown({ merchantId: [ann.id], waits: true, channelId: [wallet] })).toEqual([second]);
    expect(await shown({ currencyCode: ['VND'] })).toEqual([]);
    expect(await shown({ currencyCode: ['THB', 'VND'], amount: { min: '100.01' } })).toEqual([]);
    expect(await shown({ amount: { max: '100' } })).toHaveLength(3);
    const { nodes, pageInfo } = await ask({ first: 2, sort: 'AT_ASC' });
    expect(nodes.map(({ orderNo }) => orderNo)).toEqual([first, second]);
    expect(pageInfo.hasNextPage).toBe(true);
    const { endCursor: after } = pageInfo;
    const rest = await ask({ first: 2, after, sort: 'AT_ASC' });
    expect(rest.nodes.map(({ orderNo }) => orderNo)).toEqual([third]);
    const { at } = (rest.nodes as readonly (Row & { at: string })[])[0] ?? {};
    expect(await shown({ at: { from: at } })).toEqual([third]);
    expect(await shown({ at: { to: at } })).toEqual([second, first]);
  });

  it('counts money that waits, and belongs to the merchants of its deposits', async () => {
    expect(await tenant.operate('Queues')).toMatchObject({ lateReceipts: 2 });
    expect(await tenant.operate('Queues', {}, clerk)).toMatchObject({ lateReceipts: 0 });
    expect(await shown({}, clerk)).toEqual([third]);
    expect(await shown({ merchantId: [ann.id] }, clerk)).toEqual([]);
  });
});
