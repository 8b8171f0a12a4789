import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MerchantClient, Platform } from '../support/platform';
import { answersIn, rawHttp } from '../support/raw-http';
import { until } from '../support/until';

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
      merchant_order_no: randomUUID(),
      currency_code: 'USD',
      amount: '100',
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
      const parts = [head(token, action, body.length), ...body.slice(0, 10).split(''), body.slice(10)];
      return answersIn(await rawHttp(platform.port, parts, { answers: 1, pauseMs }))[0]?.status;
    };
    expect(await slowly('submit')).toBe(400);
    expect(await slowly('claim')).toBe(200);
  });

  describe('pictures', () => {
    const sockets: Socket[] = [];
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy();
    });
    /** A claim with a picture that begins to arrive, and its answer. */
    const begin = (token: string): { answer: Promise<string>; socket: Socket } => {
      const socket = connect({ port: platform.port, host: '127.0.0.1' });
      sockets.push(socket);
      const answer = new Promise<string>((resolve) => {
        socket.setEncoding('utf8').once('data', (text: string) => {
          resolve(text);
        });
      });
      socket.write(`${head(token, 'claim', 100_000)}{`);
      return { answer, socket };
    };
    const claim = async (token: string): Promise<unknown> => {
      const body = JSON.stringify({ reference: 'FT-20260101' });
      const parts = [head(token, 'claim', body.length) + body];
      return answersIn(await rawHttp(platform.port, parts, { answers: 1 }))[0]?.status;
    };

    it('of one link arrive two at once; a third gets 429, a claim without one passes', async () => {
      const token = await openSession();
      const sent = [begin(token), begin(token), begin(token)];
      const refused = await Promise.any(sent.map(async ({ answer }, n) => ({ heard: await answer, n })));
      expect(answersIn(refused.heard)).toMatchObject([{ status: 429, body: { code: 'RATE_LIMITED' } }]);
      expect(await claim(token)).toBe(200);
      sent.find((_, n) => n !== refused.n)?.socket.destroy();
      await until('a free place', async () => {
        const answered = await Promise.race([begin(token).answer, sleep(100, null)]);
        return answered === null ? true : undefined;
      });
    });
  });
});
