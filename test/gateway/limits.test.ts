import { request as httpRequest } from 'node:http';
import { depositBody, md5, MERCHANT_API, type MerchantClient, Platform, signingString } from '../support/platform';
import { answersIn, rawHttp } from '../support/raw-http';
import { ownTime } from '../support/stopwatch';

/** Two UTF-16 units, four bytes, one character. */
const ASTRAL = '😀';

describe('limits, at the last accepted and the first refused value', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open();
    await platform.account();
    await platform.account({ currencyCode: 'JPY' });
    await platform.account({ currencyCode: 'KWD' });
    merchant = await platform.merchant();
    await platform.tenant.operate('UpdateMerchant', {
      id: merchant.id,
      currencies: [{ currencyCode: 'JPY' }, { currencyCode: 'KWD' }],
      reason: 'test',
    });
  });
  afterAll(async () => {
    await platform.close();
  });

  const create = async (fields: Record<string, unknown>) =>
    await merchant.signed('POST', '/orders/deposit', depositBody(fields));
  const invalid = { status: 422, body: { success: false, code: 'VALIDATION_ERROR', data: null } };

  it.each([
    ['merchant_order_no', 64],
    ['user_id', 64],
    ['account_holder', 128],
    ['mobile', 32],
    ['email', 255],
    ['bank_code', 32],
    ['account_no', 64],
  ])('%s of at most %i characters, counted by code points', async (field, limit) => {
    expect(await create({ [field]: ASTRAL.repeat(limit) })).toMatchObject({ status: 201 });
    expect(await create({ [field]: 'x'.repeat(limit + 1) })).toMatchObject(invalid);
    expect(await create({ [field]: ASTRAL.repeat(limit + 1) })).toMatchObject(invalid);
  });

  it('callback_url of 1 to 500 characters', async () => {
    const url = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;
    expect(await create({ callback_url: url(500) })).toMatchObject({ status: 201 });
    expect(await create({ callback_url: url(501) })).toMatchObject(invalid);
    expect(await create({ callback_url: '' })).toMatchObject(invalid);
  });

  it.each(['http://a.example/', 'ftp://a.example/', 'https://u:p@a.example/', '/callback', 'https:'])(
    'callback_url %s is refused',
    async (callback_url) => {
      expect(await create({ callback_url })).toMatchObject(invalid);
    },
  );

  it.each(['merchant_order_no', 'amount', 'currency_code', 'callback_url'])(
    '%s is required: absent, null and "" are refused',
    async (field) => {
      const { [field as 'amount']: _, ...rest } = depositBody();
      expect(await merchant.signed('POST', '/orders/deposit', rest)).toMatchObject(invalid);
      expect(await create({ [field]: null })).toMatchObject(invalid);
      expect(await create({ [field]: '' })).toMatchObject(invalid);
    },
  );

  it.each(['extra_data', 'user_id', 'account_holder', 'mobile', 'email', 'bank_code', 'account_no'])(
    '%s is optional: null is the same as absent, "" is a text, other types are refused',
    async (field) => {
      expect(await create({ [field]: null })).toMatchObject({ status: 201 });
      expect(await create({ [field]: '' })).toMatchObject({ status: 201 });
      for (const value of [1, true, [], {}]) expect(await create({ [field]: value })).toMatchObject(invalid);
    },
  );

  it.each(['\u0001', '\u001f', '\t', '\u007f', '\u0080', '\u009f'])(
    'merchant_order_no with control character %j is refused',
    async (control) => {
      expect(await create({ merchant_order_no: `a${control}b` })).toMatchObject(invalid);
    },
  );

  it.each(['\u0001', '\u001f', '\t', '\u007f', '\u0080', '\u009f'])(
    'account_holder with control character %j is refused',
    async (control) => {
      expect(await create({ account_holder: `a${control}b` })).toMatchObject(invalid);
    },
  );

  it('handles numbers of 60,000 digits like others', async () => {
    const zeros = '0'.repeat(59_990);
    for (const amount of [`1${zeros}`, `0.${zeros}1`, `1.01${zeros}1`]) {
      expect(await create({ amount })).toMatchObject(invalid);
      const { callback_url, merchant_order_no } = depositBody();
      const text = `{"amount":${amount},"callback_url":"${callback_url}","currency_code":"USD","merchant_order_no":"${merchant_order_no}"}`;
      const { result, ms } = await ownTime(
        async () =>
          await merchant.signed('POST', '/orders/deposit', text, {
            signingString: (timestamp) =>
              `amount=${amount}&callback_url=${callback_url}&currency_code=USD&merchant_order_no=${merchant_order_no}&timestamp=${timestamp}`,
          }),
      );
      expect(result).toMatchObject(invalid);
      expect(ms).toBeLessThan(1_000);
    }
    expect(await create({ amount: `1.01${zeros}` })).toMatchObject({ status: 201 });
  });

  it('answers 400 for raw UTF-8 in a query', async () => {
    const line = `GET ${MERCHANT_API}/query/deposit?merchant_order_no=é HTTP/1.1\r\nHost: a\r\n`;
    const headers = `X-API-Key: k\r\nX-Signature: s\r\nX-Timestamp: ${platform.timestamp()}\r\n\r\n`;
    const answers = answersIn(await rawHttp(platform.port, line + headers, { answers: 1 }));
    expect(answers).toMatchObject([{ status: 400, body: { code: 'VALIDATION_ERROR' } }]);
  });

  it.each([' ', ' a ', '\u00a0', '\u00a0a', '/?#%', 'é', 'e\u0301'])(
    'merchant_order_no %j is a number like others, byte-exact',
    async (merchant_order_no) => {
      expect(await create({ merchant_order_no })).toMatchObject({ status: 201 });
      const path = `/query/deposit?merchant_order_no=${encodeURIComponent(merchant_order_no)}`;
      const found = await merchant.signed('GET', path);
      expect(found.body.data).toMatchObject({ merchant_order_no });
    },
  );

  it.each<[currency: string, amount: string, status: number]>([
    ['USD', '99999999999999.99', 201],
    ['USD', '100000000000000', 422],
    ['USD', '0.01', 201],
    ['USD', '0.001', 422],
    ['USD', '1.0100', 201],
    ['USD', '1.01000000000000000000', 201],
    ['USD', '0', 422],
    ['USD', '0.00', 422],
    ['JPY', '1', 201],
    ['JPY', '1.0', 201],
    ['JPY', '1.5', 422],
    ['KWD', '1.001', 201],
    ['KWD', '1.0001', 422],
  ])('%s amount "%s": %i', async (currency_code, amount, status) => {
    expect(await create({ currency_code, amount })).toMatchObject({ status });
  });

  it.each(['-1', '+1', '01', '1.', '.5', '1,000', '1e2', ' 1', '1 ', '١', 'NaN', 'Infinity', '0x10'])(
    'amount %j is refused',
    async (amount) => {
      expect(await create({ amount })).toMatchObject(invalid);
    },
  );

  it.each([
    ['1', 201, '1.0000'],
    ['1.50', 201, '1.5000'],
    ['99999999999999.99', 201, '99999999999999.9900'],
    ['1e2', 422, undefined],
    ['1E400', 422, undefined],
    ['-1', 422, undefined],
    ['0', 422, undefined],
    ['1.001', 422, undefined],
    ['true', 422, undefined],
    ['["1"]', 422, undefined],
    ['{"a":1}', 422, undefined],
  ])('amount as bare JSON %s: %i', async (amount, status, requested_amount) => {
    const { amount: _, ...rest } = depositBody();
    const text = JSON.stringify(rest).replace('{', `{"amount":${amount},`);
    const answer = await merchant.signed('POST', '/orders/deposit', text, {
      signingString: (timestamp) => signingString({ ...rest, amount }, timestamp),
    });
    expect(answer.status).toBe(status);
    expect(answer.body.data?.['requested_amount']).toBe(requested_amount);
  });

  it.each(['usd', 'US', 'USDT', 'U5D', ' USD', 'USD\n', 840])('currency_code %j is refused', async (currency_code) => {
    expect(await create({ currency_code })).toMatchObject(invalid);
  });

  it.each(['EUR', 'XXX', 'ZZZ'])('currency_code %s is not enabled', async (currency_code) => {
    expect(await create({ currency_code })).toMatchObject({
      status: 400,
      body: { code: 'BUSINESS_ERROR', data: null },
    });
  });

  it('X-Timestamp at most 300 seconds off, in whole seconds', async () => {
    const at = async (shift: number) =>
      await merchant.signed('GET', '/balance', undefined, { timestamp: platform.timestamp(shift) });
    const refused = { status: 401, body: { code: 'INVALID_TIMESTAMP' } };
    const second = Math.floor(Date.now() / 1000) * 1000;
    for (const now of [second, second + 999]) {
      platform.tenant.now = () => new Date(now);
      expect(await at(-300)).toMatchObject({ status: 200 });
      expect(await at(300)).toMatchObject({ status: 200 });
      expect(await at(-301)).toMatchObject(refused);
      expect(await at(301)).toMatchObject(refused);
    }
    platform.tenant.now = () => new Date();
  });

  it.each(['', 'now', '1767225600.0', '-1', '+1767225600', '0x1', '1e9', '1234567890123', '１'])(
    'X-Timestamp %j is refused',
    async (timestamp) => {
      const headers = { 'x-timestamp': Buffer.from(timestamp).toString('latin1') };
      const answer = await merchant.signed('GET', '/balance', undefined, { timestamp, headers });
      expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_TIMESTAMP' } });
    },
  );

  describe('body of 64 KiB', () => {
    /** A valid create of exactly `bytes` bytes. */
    function bodyOf(bytes: number, timestamp: string): { text: string; signed: string } {
      const fields = depositBody({ extra_data: '' });
      const filled = { ...fields, extra_data: 'x'.repeat(bytes - JSON.stringify(fields).length) };
      return {
        text: JSON.stringify(filled),
        signed: signingString(filled, timestamp),
      };
    }

    it('is the limit with Content-Length', async () => {
      for (const [bytes, status] of [
        [65_536, 201],
        [65_537, 413],
        [5_000_000, 413],
      ] as const) {
        const timestamp = platform.timestamp();
        const { text, signed } = bodyOf(bytes, timestamp);
        const answer = await merchant.signed('POST', '/orders/deposit', text, {
          timestamp,
          signingString: () => signed,
        });
        expect(answer).toMatchObject({ status, body: { success: status === 201 } });
      }
    });

    it('is the limit in chunks', async () => {
      const timestamp = platform.timestamp();
      const sendChunked = async (bytes: number): Promise<{ status: number; text: string }> => {
        const { text, signed } = bodyOf(bytes, timestamp);
        return await new Promise((resolve, reject) => {
          const request = httpRequest(
            {
              port: platform.port,
              method: 'POST',
              path: `${MERCHANT_API}/orders/deposit`,
              headers: {
                'x-api-key': merchant.apiKey,
                'x-timestamp': timestamp,
                'x-signature': md5(signed + merchant.apiKey),
                'content-type': 'application/json',
                'transfer-encoding': 'chunked',
              },
            },
            (response) => {
              let answer = '';
              response.setEncoding('utf8');
              response.on('data', (part: string) => (answer += part));
              response.on('end', () => {
                resolve({ status: response.statusCode ?? 0, text: answer });
              });
            },
          );
          request.on('error', reject);
          for (let i = 0; i < text.length; i += 10_000) request.write(text.slice(i, i + 10_000));
          request.end();
        });
      };
      expect(await sendChunked(65_536)).toMatchObject({ status: 201 });
      const refused = await sendChunked(65_537);
      expect(refused.status).toBe(413);
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', data: null });
    });
  });
});
