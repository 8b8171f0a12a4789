import { SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import { createCashierTokens } from '../../crypto/cashier-token';
import { LogLines } from '../support/log-lines';
import { PNG, pngOfPhone } from '../support/pictures';
import { type Answer, type MerchantClient, Platform } from '../support/platform';

interface Opened {
  readonly token: string;
  readonly sessionId: string;
  readonly number: string;
}

const CARDS = [
  { bank_code: 'KBANK', account_no: '123-4-56789-0', holder: 'Somchai' },
  { bank_code: 'SCB', card_number: '4111 1111 1111 1234' },
];

/** The requests of the payer's page, over HTTP. */
describe('the cashier of a payer', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open();
    merchant = await platform.cashierMerchant({
      cashierName: 'Shop',
      cashierColour: '#0a5C36',
      cashierLogoUrl: 'https://shop.example/logo.png',
      cashierReturnUrl: 'https://shop.example/thanks',
    });
    await platform.account();
  });
  afterAll(async () => {
    await platform.close();
  });

  const open = async (fields: Readonly<Record<string, unknown>> = {}): Promise<Opened> => {
    const number = uuidv7();
    const { status, body } = await merchant.signed('POST', '/orders/deposit/cashier', {
      merchant_order_no: number,
      currency_code: 'USD',
      ...fields,
    });
    expect(status).toBe(201);
    const { cashier_token, session_id } = body.data as Record<string, string>;
    return { token: cashier_token ?? '', sessionId: session_id ?? '', number };
  };
  const state = async (token: string): Promise<Answer> => await platform.send('GET', `/cashier/${token}/state`);
  const post = async (token: string, deed: string, body: unknown): Promise<Answer> =>
    await platform.send(
      'POST',
      `/cashier/${token}/${deed}`,
      { 'content-type': 'application/json' },
      JSON.stringify(body),
    );
  const query = async (number: string): Promise<Answer> =>
    await merchant.signed('GET', `/query/deposit?merchant_order_no=${number}`);
  const later = async (minutes: number, work: () => Promise<void>): Promise<void> => {
    const { now } = platform.tenant;
    platform.tenant.now = () => new Date(now().getTime() + minutes * 60_000);
    try {
      await work();
    } finally {
      platform.tenant.now = now;
    }
  };

  it('shows the choices, and no account number in clear', async () => {
    const { token, sessionId } = await open({ payer_bank_cards: CARDS });
    const { status, headers, body, text } = await state(token);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(body.data).toMatchObject({
      session_id: sessionId,
      status: 'pending',
      has_deposit_order: false,
      version: 1,
      sandbox: true,
      currency_code: 'USD',
      decimals: 2,
      denominations: ['10.0000', '50.0000', '100.0000'],
      custom_min: '20.0000',
      custom_max: '500.0000',
      chosen_card: null,
      merchant: { name: 'Shop', logo_url: 'https://shop.example/logo.png', colour: '#0a5c36' },
      return_url: 'https://shop.example/thanks',
      order: null,
      claim: null,
    });
    const [first, second] = body.data?.['cards'] as { key: string; value: string }[][];
    expect(new Map(first?.map(({ key, value }) => [key, value]))).toEqual(
      new Map([
        ['bank_code', 'KBANK'],
        ['account_no', '•••• 7890'],
        ['holder', 'Somchai'],
      ]),
    );
    expect(second).toContainEqual({ key: 'card_number', value: '•••• 1234' });
    for (const digits of ['4-56789', '3-4-5', '456789', '1111 1111', '11111111']) expect(text).not.toContain(digits);
  });

  it('creates one order from the choice, with its own expiry', async () => {
    const { token, sessionId, number } = await open({ payer_bank_cards: CARDS });
    expect((await query(number)).status).toBe(404);
    const submitted = await post(token, 'submit', { amount: '100', card_index: 1 });
    expect([submitted.status, submitted.body.code]).toEqual([200, 'SUCCESS']);
    expect(submitted.body.data).toMatchObject({
      status: 'submitted',
      has_deposit_order: true,
      chosen_card: 1,
      order: {
        status: 'pending',
        requested_amount: '100.0000',
        amount: '100.0000',
        bank_code: 'TESTBANK',
        account_holder: 'Causeway',
      },
    });
    const { order_no: orderNo, remark } = submitted.body.data?.['order'] as Record<string, string>;
    expect(remark).toMatch(/^\w{8}$/);
    // A repeat, also with another amount from another tab, answers the same order.
    for (const amount of ['100', '50']) {
      const again = await post(token, 'submit', { amount, card_index: 0 });
      expect(again.body.data).toMatchObject({ chosen_card: 1, order: { order_no: orderNo } });
    }
    expect((await query(number)).body.data).toMatchObject({
      order_no: orderNo,
      order_type: 'cashier',
      cashier_session_id: sessionId,
      payer_bank_code: 'SCB',
      payer_account_last4: '1234',
    });
  });

  it("asks for the payer's card where the session was opened with an amount", async () => {
    const { token, number } = await open({ amount: '50', payer_bank_cards: CARDS });
    const before = await state(token);
    expect(before.body.data).toMatchObject({ status: 'submitted', chosen_card: null });
    expect((await post(token, 'submit', { card_index: 2 })).status).toBe(422);
    expect((await post(token, 'submit', {})).status).toBe(422);
    const chosen = await post(token, 'submit', { card_index: 0 });
    expect(chosen.body.data).toMatchObject({ chosen_card: 0 });
    expect((await post(token, 'submit', { card_index: 1 })).body.data).toMatchObject({
      chosen_card: 0,
    });
    expect((await query(number)).body.data).toMatchObject({
      payer_bank_code: 'KBANK',
      payer_account_last4: '7890',
    });
  });

  it.each([
    ['no amount', {}, 422],
    ['an amount that is none', { amount: 'ten' }, 422],
    ['an empty amount', { amount: '' }, 422],
    ['too many decimals', { amount: '20.001' }, 422],
    ['a card where there is none, of a wrong type', { amount: '50', card_index: 'first' }, 422],
    ['an amount that is not offered', { amount: '19.99' }, 400],
    ['an amount above the range', { amount: '500.01' }, 400],
  ])('refuses %s and does not change', async (_name, choice, status) => {
    const { token, number } = await open();
    expect((await post(token, 'submit', choice)).status).toBe(status);
    expect((await state(token)).body.data).toMatchObject({ status: 'pending' });
    expect((await post(token, 'submit', { amount: 50 })).status).toBe(200);
    expect((await query(number)).status).toBe(200);
  });

  it('requires a card where the merchant listed cards', async () => {
    const { token } = await open({ payer_bank_cards: CARDS });
    expect((await post(token, 'submit', { amount: '50' })).status).toBe(422);
    expect((await post(token, 'submit', { amount: '50', card_index: 2 })).status).toBe(422);
  });

  it('expires on the next request, is shown for a day, and refuses a choice', async () => {
    const { token, sessionId } = await open();
    await later(15.1, async () => {
      const submitted = await post(token, 'submit', { amount: '50' });
      expect([submitted.status, submitted.body.code]).toEqual([400, 'BUSINESS_ERROR']);
      expect((await state(token)).body.data).toMatchObject({ status: 'expired', order: null });
    });
    const [row] = await platform.tenant.database.sql<{ status: string }[]>`
      select status from cashier_sessions where id = ${sessionId}`;
    expect(row?.status).toBe('EXPIRED');
    await later(15 + 24 * 60 + 1, async () => {
      expect((await state(token)).status).toBe(401);
    });
  });

  it('is paid in a sandbox through the usual bank notification', async () => {
    const { token } = await open({ amount: '50' });
    const paid = await post(token, 'simulate', { outcome: 'paid' });
    expect(paid.body.data).toMatchObject({ order: { status: 'matched' } });
    const wrong = await open({ amount: '50' });
    const stays = await post(wrong.token, 'simulate', { outcome: 'wrong_amount' });
    expect(stays.body.data).toMatchObject({ order: { status: 'pending' } });
    const hurried = await open({ amount: '50' });
    const { order } = (await post(hurried.token, 'simulate', { outcome: 'expired' })).body.data as {
      order: { expire_at: string };
    };
    expect(Date.parse(order.expire_at)).toBeLessThanOrEqual(Date.now());
    expect((await post(token, 'simulate', { outcome: 'riches' })).status).toBe(422);
    expect((await post((await open()).token, 'simulate', { outcome: 'paid' })).status).toBe(400);
  });

  describe('a payment claim', () => {
    it('is stored without what a telephone adds to its picture, and credits nothing', async () => {
      const { token, number } = await open({ amount: '50' });
      const body = { reference: ' ref 77 ', receipt: pngOfPhone(1).toString('base64') };
      const claimed = await post(token, 'claim', body);
      expect(claimed.body.data).toMatchObject({
        order: { status: 'pending' },
        claim: { reference: 'ref 77' },
      });
      // A second claim replaces the reference and keeps the picture.
      await post(token, 'claim', { reference: 'ref 78' });
      const { database, sealer } = platform.tenant;
      const [{ receipt, depositId, ...claim } = { receipt: PNG, depositId: '' }] = await database.sql<
        { receipt: Buffer; depositId: string }[]
      >`
        select c.reference, c.reference_key, c.receipt_type, c.receipt, c.deposit_id from payment_claims c
        join deposit_orders d on d.id = c.deposit_id where d.merchant_order_no = ${number}`;
      expect(claim).toEqual({
        reference: 'ref 78',
        referenceKey: 'REF78',
        receiptType: 'image/png',
      });
      expect(sealer.openBytes(receipt, `receipt:${depositId}`)).toEqual(PNG);
      expect((await query(number)).body.data).toMatchObject({ status: 'pending' });
    });

    it('is taken with a picture that breaks off, of which no more than its type is kept', async () => {
      const { token } = await open({ amount: '50' });
      const receipt = PNG.subarray(0, -1).toString('base64');
      const { body } = await post(token, 'claim', { reference: 'ref 79', receipt });
      expect(body.data).toMatchObject({ claim: { reference: 'ref 79' } });
    });

    it.each([
      ['nothing', {}, 422],
      ['an empty reference', { reference: '  ' }, 422],
      ['a long reference', { reference: 'r'.repeat(129) }, 422],
      ['a control character', { reference: 'a\u0007b' }, 422],
      ['invalid base64', { reference: 'r', receipt: '%%%' }, 422],
      ['a file that is not a picture', { reference: 'r', receipt: Buffer.from('<svg/>').toString('base64') }, 422],
      [
        'a picture that is too large',
        { reference: 'r', receipt: Buffer.concat([PNG, Buffer.alloc(2 ** 21)]).toString('base64') },
        422,
      ],
      ['an oversized body', { reference: 'r', receipt: 'A'.repeat(3_000_000) }, 413],
    ])('is refused with %s', async (_name, body, status) => {
      const { token } = await open({ amount: '50' });
      expect((await post(token, 'claim', body)).status).toBe(status);
      expect((await state(token)).body.data).toMatchObject({ claim: null });
    });

    it('is refused while the session has no order', async () => {
      const { token } = await open();
      expect((await post(token, 'claim', { reference: 'r' })).status).toBe(400);
    });
  });

  describe('a token', () => {
    const parts = (token: string): [string, string, string] => token.split('.') as [string, string, string];
    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    /** In base64url the last letter of 32 bytes carries four bits; a lenient decoder ignores the other two. */
    const respelt = (letter: string): string => ALPHABET.charAt(ALPHABET.indexOf(letter) + 1);

    it('is refused in every forged form, without a reason', async () => {
      const { token, sessionId } = await open();
      const other = await open();
      const [header, payload, signature] = parts(token);
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      const stranger = createCashierTokens(Buffer.alloc(32, 1), 'sandbox');
      const forged: Record<string, string> = {
        'of another payload': `${header}.${encoded({ ...claims, sub: other.sessionId })}.${signature}`,
        'of another version': `${header}.${encoded({ ...claims, ver: 2 })}.${signature}`,
        "with another session's signature": `${header}.${payload}.${parts(other.token)[2]}`,
        'with a bit of the signature changed': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        'without a signature': `${header}.${payload}.`,
        'cut off': token.slice(0, -1),
        // Other spellings of the same bytes, which lenient decoders accept.
        'with padding': `${token}=`,
        'with a space': `${token}%20`,
        'with a stranger among its letters': `${header}.${payload}.${signature.slice(0, 9)}!${signature.slice(9)}`,
        'with unused bits set': token.slice(0, -1) + respelt(token.slice(-1)),
        'alg none': `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`,
        'alg none, signed': `${encoded({ alg: 'none' })}.${payload}.${signature}`,
        'alg NoNe': `${encoded({ alg: 'NoNe' })}.${payload}.`,
        'alg HS512': `${encoded({ alg: 'HS512' })}.${payload}.${signature}`,
        'of a stranger': await stranger.sign({ sessionId }),
        'of a session that does not exist': await platform.tenant.graph.core.cashierTokens.sign({
          sessionId: uuidv7(),
        }),
        'that is none': 'x',
        'of dots': '...',
        'that is long': 'x'.repeat(8_000),
        'that is the session': sessionId,
        'of NULs': '%00',
      };
      const messages = new Set<string>();
      for (const [name, one] of Object.entries(forged)) {
        const answer = await state(one);
        expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'UNAUTHENTICATED']);
        messages.add(answer.body.message);
        expect((await post(one, 'submit', { amount: '50' })).status).toBe(401);
      }
      expect(messages.size).toBe(1);
      expect((await state(token)).body.data).toMatchObject({ status: 'pending' });
    });

    it("of another environment is refused, even when signed with this one's secret", async () => {
      const secret = Buffer.alloc(32, 7);
      const [sandbox, production] = ['sandbox', 'production'].map((environment) =>
        createCashierTokens(secret, environment),
      );
      const ticket = { sessionId: uuidv7() };
      const token = await production?.sign(ticket);
      expect(await production?.read(token ?? '')).toEqual(ticket);
      expect(await sandbox?.read(token ?? '')).toBeUndefined();
      const other = await new SignJWT({ ver: 3 })
        .setProtectedHeader({ alg: 'HS384' })
        .setIssuer('causeway-sandbox')
        .setAudience('cashier')
        .setSubject(ticket.sessionId)
        .sign(secret);
      expect(await sandbox?.read(other)).toBeUndefined();
    });

    it('stays when its session is opened again; what was chosen on the older page is refused', async () => {
      const user = uuidv7();
      const { token } = await open({ user_id: user });
      const { data: before } = (await state(token)).body;
      expect((await open({ user_id: user, payer_bank_cards: CARDS })).token).toBe(token);
      const choice = { amount: '50', card_index: 0 };
      const stale = await post(token, 'submit', { ...choice, version: before?.['version'] });
      expect([stale.status, stale.body.code]).toEqual([409, 'CONFLICT']);
      const { data: now } = (await state(token)).body;
      expect(now).toMatchObject({ status: 'pending', version: 2 });
      expect((await post(token, 'submit', { ...choice, version: 2 })).status).toBe(200);
    });

    it('goes on as it was when the same is sent again, cards in another order of fields too', async () => {
      const session = { user_id: uuidv7(), merchant_order_no: uuidv7() };
      const { token, sessionId } = await open({ ...session, payer_bank_cards: CARDS });
      const again = CARDS.map((card) => Object.fromEntries(Object.entries(card).reverse()));
      await open({ ...session, payer_bank_cards: again });
      expect((await state(token)).body.data).toMatchObject({ version: 1 });
      const [row] = await platform.tenant.database.sql<{ cards: unknown; count: number }[]>`
        select payer_bank_cards as cards, card_count as count from cashier_sessions where id = ${sessionId}`;
      expect([typeof row?.cards, row?.count]).toEqual(['string', CARDS.length]);
      await open({ ...session, payer_bank_cards: [...CARDS].reverse() });
      expect((await state(token)).body.data).toMatchObject({ version: 2 });
    });

    it('of a revoked session opens nothing', async () => {
      const { token, sessionId } = await open();
      await platform.tenant.operate('RevokeCashierSession', { id: sessionId, reason: 'fraud' });
      for (const answer of [await state(token), await post(token, 'submit', { amount: '50' })])
        expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
      const again = platform.tenant.operate('RevokeCashierSession', {
        id: sessionId,
        reason: 'again',
      });
      await expect(again).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    });

    it('of a session opens nothing a day after its order ended', async () => {
      const { token, number } = await open({ amount: '50' });
      const orderNo = String((await query(number)).body.data?.['order_no']);
      await platform.tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
      expect((await state(token)).body.data).toMatchObject({ order: { status: 'cancelled' } });
      await later(24 * 60 - 1, async () => {
        expect((await state(token)).status).toBe(200);
      });
      await later(24 * 60 + 1, async () => {
        expect((await state(token)).status).toBe(401);
      });
    });
  });

  it('does not appear in the log, nor does a card number', async () => {
    const { log, lines } = new LogLines();
    const other = await Platform.open({ deps: { log } });
    try {
      const shop = await other.cashierMerchant();
      await other.account();
      const create = { merchant_order_no: uuidv7(), currency_code: 'USD', payer_bank_cards: CARDS };
      const { body } = await shop.signed('POST', '/orders/deposit/cashier', create);
      const { cashier_token: token = '' } = body.data as Record<string, string>;
      const json = { 'content-type': 'application/json' };
      await other.send('GET', `/cashier/${token}/state`);
      await other.send('GET', `/cashier/${token}/nowhere`);
      await other.send('PUT', `/cashier/${token}/submit`);
      const bad = [`{"amount":"${token}"}`, 'no json', '{"amount":"50","card_index":0}'];
      for (const text of bad) await other.send('POST', `/cashier/${token}/submit`, json, text);
      const claim = '{"reference":"secret reference 77"}';
      await other.send('POST', `/cashier/${token}/claim`, json, claim);
      const written = JSON.stringify(lines);
      expect(written).toContain('/cashier/:token/submit');
      expect(lines.length).toBeGreaterThan(7);
      const numbers = ['4-56789', '12345678'];
      for (const secret of [token, token.split('.')[2] ?? '', ...numbers, 'secret reference'])
        expect(written).not.toContain(secret);
    } finally {
      await other.close();
    }
  });

  it('limits the rate of one payer without affecting others', async () => {
    const { token } = await open();
    const other = await open();
    // The clock does not advance, so no tokens are refilled.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const answers = await Promise.all(Array.from({ length: 120 }, async () => await state(token)));
    clock.mockRestore();
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(60);
    expect(refused[0]?.body).toMatchObject({ code: 'RATE_LIMITED', data: null });
    expect((await state(other.token)).status).toBe(200);
  });
});
