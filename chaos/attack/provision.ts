import { createHash, randomBytes } from 'node:crypto';
import type { Place } from './wire';
import type { KnownAgent, KnownMerchant, World } from './world';

/** Runs a document of docs/operations.graphql as an operator and returns its one root field. */
export type Operate = <Result>(name: string, variables: Record<string, unknown>) => Promise<Result>;

/** What already exists: the platform, its operator and its clock. */
export interface Fixture extends Pick<World, 'gateway' | 'graph' | 'now' | 'count'> {
  readonly operate: Operate;
}

const REASON = 'attack';
/** Open deposits of an account are capped: a large attack needs this many accounts. */
const ACCOUNTS = 12;

async function createOrder({ host, port }: Place, now: Date, apiKey: string): Promise<KnownMerchant['order']> {
  const fields = {
    amount: '100.00',
    callback_url: 'https://merchant.example/callback',
    currency_code: 'USD',
    merchant_order_no: randomBytes(12).toString('hex'),
  };
  const timestamp = String(Math.floor(now.getTime() / 1000));
  // The names above are in order.
  const text = Object.entries({ ...fields, timestamp }).map(([key, value]) => `${key}=${value}`);
  const response = await fetch(`http://${host}:${port}/api/v1/merchant/orders/deposit`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': apiKey,
      'x-timestamp': timestamp,
      'x-signature': createHash('md5')
        .update(`${text.join('&')}${apiKey}`)
        .digest('hex'),
    },
    body: JSON.stringify(fields),
  });
  const { data } = (await response.json()) as { data: { order_no: string } | null };
  if (!data) throw new Error(`the attack cannot create an order: ${response.status}`);
  return { orderNo: data.order_no, merchantOrderNo: fields.merchant_order_no };
}

/** Creates merchants, accounts and agents of its own, so that it can be repeated on one platform. */
export async function provision(fixture: Fixture): Promise<World> {
  const { operate, gateway, graph, now, count } = fixture;
  const accounts: string[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const { account } = await operate<{ account: { id: string } }>('CreateBankAccount', {
      reason: REASON,
      input: {
        name: 'Attacked account',
        bankCode: 'ATTACK',
        bankName: 'Attacked Bank',
        accountNo: randomBytes(8).toString('hex'),
        accountHolder: 'Nobody',
        currencyCode: 'USD',
      },
    });
    accounts.push(account.id);
  }
  const issue = async (merchantId: string): Promise<{ apiKey: string; key: { id: string } }> =>
    await operate('IssueApiKey', { merchantId, reason: REASON });
  const merchant = async (): Promise<KnownMerchant> => {
    const { merchant: made } = await operate<{ merchant: { id: string } }>('CreateMerchant', {
      reason: REASON,
      input: {
        merchantCode: `ATTACK${randomBytes(6).toString('hex')}`,
        name: 'Attacked merchant',
        currencies: [{ currencyCode: 'USD' }],
      },
    });
    const { apiKey } = await issue(made.id);
    return { id: made.id, apiKey, order: await createOrder(gateway, now(), apiKey) };
  };
  const agent = async (accountId = ''): Promise<KnownAgent> => {
    const { keyId, secret } = await operate<{ keyId: string; secret: string }>('CreateAgentKey', {
      reason: REASON,
      input: { label: 'attacked agent', accountIds: [accountId] },
    });
    return { keyId, secret, accountId };
  };
  const attacked = await merchant();
  const revoked = await issue(attacked.id);
  await operate('RevokeApiKey', { id: revoked.key.id, reason: REASON });
  return {
    gateway,
    graph,
    now,
    count,
    merchant: attacked,
    stranger: await merchant(),
    revokedKey: revoked.apiKey,
    agent: await agent(accounts[0]),
    otherAgent: await agent(accounts[1]),
  };
}
