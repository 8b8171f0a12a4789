import { depositBody, type MerchantClient, Platform } from '../support/platform';

/** More concurrent requests than the database has connections. */
describe('many requests at once', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let accountId: string;
  beforeAll(async () => {
    platform = await Platform.open();
    merchant = await platform.merchant();
    accountId = await platform.account();
  });
  afterAll(async () => {
    await platform.close();
  });

  it('are all answered, and each order answered 201 exists', async () => {
    const agent = await platform.agent([accountId]);
    const create = async (n: number): Promise<{ status: number; orderNo: string }> => {
      // Every tenth reuses one number: one refusal in a batch must not affect the others.
      const number = n % 10 === 0 ? { merchant_order_no: 'again' } : {};
      const { status, body } = await merchant.signed('POST', '/orders/deposit', depositBody(number));
      return { status, orderNo: String(body.data?.['order_no']) };
    };
    const notify = async (n: number): Promise<number> =>
      (
        await platform.notify(agent, {
          account_id: accountId,
          amount: '1.00',
          currency_code: 'USD',
          bank_time: new Date().toISOString(),
          memo: '',
          bank_reference: `load-${n}`,
        })
      ).status;

    const [created, notified] = await Promise.all([
      Promise.all(Array.from({ length: 300 }, async (_, n) => await create(n))),
      Promise.all(Array.from({ length: 100 }, async (_, n) => await notify(n))),
    ]);
    expect(new Set(notified)).toEqual(new Set([201]));
    const made = created.filter(({ status }) => status === 201);
    expect(made).toHaveLength(271);
    expect(created.filter(({ status }) => status === 409)).toHaveLength(29);
    const found = await Promise.all(
      made.map(async ({ orderNo }) => (await merchant.signed('GET', `/query/deposit/${orderNo}`)).status),
    );
    expect(new Set(found)).toEqual(new Set([200]));
  });

  it('get the answers to their own queries only', async () => {
    const other = await platform.merchant();
    const owners = [merchant, other];
    const orders = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const owner = owners[n % 2] ?? merchant;
        const { body } = await owner.signed('POST', '/orders/deposit', depositBody());
        return { owner, stranger: owners[(n + 1) % 2] ?? other, data: body.data ?? {} };
      }),
    );
    const asked = await Promise.all(
      orders.flatMap(({ owner, stranger, data }) => {
        const number = String(data['order_no']);
        return [
          owner.signed('GET', `/query/deposit/${number}`),
          stranger.signed('GET', `/query/deposit/${number}`),
          owner.signed('GET', `/query/deposit/${number}X`),
        ];
      }),
    );
    expect(asked.map(({ status, body }) => [status, body.data?.['order_no'], body.data?.['merchant_id']])).toEqual(
      orders.flatMap(({ owner, data }) => [
        [200, data['order_no'], owner.id],
        [404, undefined, undefined],
        [404, undefined, undefined],
      ]),
    );
    const byTheirs = await Promise.all(
      asked
        .flatMap(({ body }) => (body.data === null ? [] : [body.data]))
        .flatMap((data) =>
          owners.map(async (asking) => {
            const number = encodeURIComponent(String(data['merchant_order_no']));
            const { body } = await asking.signed('GET', `/query/deposit?merchant_order_no=${number}`);
            const found = body.data === null ? null : body.data['order_no'];
            return found === (asking.id === data['merchant_id'] ? data['order_no'] : null);
          }),
        ),
    );
    expect(byTheirs).toHaveLength(80);
    expect(byTheirs).not.toContain(false);
  });
});
