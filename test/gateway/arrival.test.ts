import { connect } from 'node:net';
import { type MerchantClient, Platform } from '../support/platform';
import { answersIn, rawHttp } from '../support/raw-http';

/** Limits on slow clients are this fraction of production's: 5 s are 250 ms, 150 s are 7.5 s. */
const PATIENCE = 0.05;

describe('requests that arrive slowly or never', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open({ deps: { clientPatience: PATIENCE } });
    await platform.account();
    merchant = await platform.cashierMerchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  async function openSession(): Promise<string> {
    const { body } = await merchant.signed('POST', '/orders/deposit/cashier', {
      ...{ merchant_order_no: `slow-${Date.now()}`, currency_code: 'USD', amount: '100' },
    });
    return String(body.data?.['cashier_token']);
  }

  it('a connection that was opened ahead and stays silent is closed without an answer', async () => {
    const heard = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect({ port: platform.port, host: '127.0.0.1' });
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('error', reject).on('close', () => {
        resolve(text);
      });
    });
    expect(heard).toBe('');
  });

  it('a request whose headers stop midway is answered', async () => {
    const heard = await rawHttp(platform.port, 'POST /bank-notifications HTTP/1.1\r\nX-A: ');
    expect(answersIn(heard)).toMatchObject([{ status: 400, body: { code: 'VALIDATION_ERROR' } }]);
  });

  const head = (token: string, action: string, length: number): string =>
    `POST /cashier/${token}/${action} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n`;

  it('a request with an invalid token is answered before its body arrives', async () => {
    for (const action of ['claim', 'submit']) {
      const heard = await rawHttp(platform.port, head('nobody', action, 60_000), { answers: 1 });
      expect(answersIn(heard)).toMatchObject([{ status: 401, body: { code: 'UNAUTHENTICATED' } }]);
    }
  });

  it('a payer’s picture may arrive slowly, other bodies may not', async () => {
    const token = await openSession();
    const body = JSON.stringify({ reference: 'FT-20260101' });
    const slowly = async (action: string): Promise<unknown> => {
      const pauseMs = (4 * 250) / 10;
      const parts = [
        head(token, action, body.length),
        ...body.slice(0, 10).split(''),
        body.slice(10),
      ];
      return answersIn(await rawHttp(platform.port, parts, { answers: 1, pauseMs }))[0]?.status;
    };
    expect(await slowly('submit')).toBe(400);
    expect(await slowly('claim')).toBe(200);
  });
});
