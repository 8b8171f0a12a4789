import { randomBytes } from 'node:crypto';
import {
  type Agent,
  type Answer,
  depositBody,
  md5,
  MERCHANT_API,
  type MerchantClient,
  Platform,
  signingString,
} from '../support/platform';

/** A request to build, so that it can fail several checks at once. */
interface Draft {
  method: string;
  path: string;
  merchant: MerchantClient;
  fields: Record<string, unknown>;
  query: string;
  padding: number;
  brokenJson: boolean;
  signed: boolean;
  headers: Record<string, string | null>;
}

interface Check {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly fail: (draft: Draft) => void;
}

/** Each check paired with each later one. */
const pairs = (checks: readonly Check[]): { first: Check; second: Check }[] =>
  checks.flatMap((first, i) => checks.slice(i + 1).map((second) => ({ first, second })));

describe('order of checks', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let disabled: MerchantClient;
  let agent: Agent;
  let accountId: string;

  beforeAll(async () => {
    platform = await Platform.open();
    accountId = await platform.account();
    agent = await platform.agent([accountId]);
    merchant = await platform.merchant();
    disabled = await platform.merchant();
    for (const one of [merchant, disabled])
      await one.signed('POST', '/orders/deposit', depositBody({ merchant_order_no: 'TAKEN' }));
    await platform.tenant.operate('UpdateMerchant', {
      id: disabled.id,
      settings: { enabled: false },
      reason: 'test',
    });
  });
  afterAll(async () => {
    await platform.close();
  });

  const path404: Check = {
    name: 'path',
    status: 404,
    code: 'NOT_FOUND',
    fail: (draft) => (draft.path += '/x'),
  };
  const method405: Check = {
    name: 'method',
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    fail: (draft) => (draft.method = 'DELETE'),
  };
  const size413: Check = {
    name: 'size',
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    fail: (draft) => (draft.padding = 65_536),
  };
  const missingHeader: Check = {
    name: 'missing header',
    status: 401,
    code: 'INVALID_SIGNATURE',
    fail: (draft) => (draft.headers['x-signature'] = draft.headers['x-agent-signature'] = null),
  };
  const timestamp401: Check = {
    name: 'timestamp',
    status: 401,
    code: 'INVALID_TIMESTAMP',
    fail: (draft) => (draft.headers['x-timestamp'] = draft.headers['x-agent-timestamp'] = platform.timestamp(-301)),
  };
  const type415: Check = {
    name: 'content type',
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    fail: (draft) => (draft.headers['content-type'] = 'text/plain'),
  };
  const json400: Check = {
    name: 'JSON',
    status: 400,
    code: 'VALIDATION_ERROR',
    fail: (draft) => (draft.brokenJson = true),
  };
  const query400: Check = {
    name: 'query string',
    status: 400,
    code: 'VALIDATION_ERROR',
    fail: (draft) => (draft.query += '&a=%ff'),
  };
  const signature401: Check = {
    name: 'signature',
    status: 401,
    code: 'INVALID_SIGNATURE',
    fail: (draft) => (draft.signed = false),
  };
  const disabled403: Check = {
    name: 'disabled merchant',
    status: 403,
    code: 'AUTHORIZATION_ERROR',
    fail: (draft) => (draft.merchant = disabled),
  };
  const field422: Check = {
    name: 'field',
    status: 422,
    code: 'VALIDATION_ERROR',
    fail: (draft) => {
      draft.fields['callback_url'] = draft.fields['memo'] = 1;
      draft.query = draft.query.replace(/merchant_order_no=\w+/, 'merchant_order_no=');
    },
  };
  const duplicate409: Check = {
    name: 'duplicate',
    status: 409,
    code: 'CONFLICT',
    fail: (draft) => (draft.fields['merchant_order_no'] = 'TAKEN'),
  };
  const business400: Check = {
    name: 'business rule',
    status: 400,
    code: 'BUSINESS_ERROR',
    fail: (draft) => (draft.fields['currency_code'] = 'EUR'),
  };
  const unknown404: Check = {
    name: 'unknown order',
    status: 404,
    code: 'NOT_FOUND',
    fail: (draft) => (draft.query = draft.query.replace('TAKEN', 'NOBODYS')),
  };

  const draftOf = (method: string, path: string, fields: Record<string, unknown>): Draft => ({
    method,
    path,
    merchant,
    fields,
    query: '',
    padding: 0,
    brokenJson: false,
    signed: true,
    headers: {},
  });
  const bodyOf = ({ fields, brokenJson, padding }: Draft): string =>
    `${JSON.stringify(fields)}${brokenJson ? ',' : ''}${' '.repeat(padding)}`;

  async function sendCreate(draft: Draft): Promise<Answer> {
    return await draft.merchant.signed(draft.method, draft.path, bodyOf(draft), {
      signingString: (timestamp) => signingString(draft.fields, timestamp) + (draft.signed ? '' : '&x=y'),
      headers: draft.headers,
    });
  }

  describe('of a create', () => {
    const checks = [
      path404,
      method405,
      size413,
      missingHeader,
      timestamp401,
      type415,
      json400,
      signature401,
      disabled403,
      field422,
      duplicate409,
      business400,
    ];

    it('accepts a valid request', async () => {
      const answer = await sendCreate(draftOf('POST', '/orders/deposit', depositBody()));
      expect(answer.status).toBe(201);
    });

    it.each(pairs(checks))('$first.name before $second.name', async ({ first, second }) => {
      const draft = draftOf('POST', '/orders/deposit', depositBody());
      second.fail(draft);
      expect(await sendCreate(draft)).toMatchObject({ status: second.status });
      first.fail(draft);
      expect(await sendCreate(draft)).toMatchObject({
        status: first.status,
        body: { success: false, code: first.code, data: null },
      });
    });
  });

  describe('of a query', () => {
    async function sendQuery(draft: Draft): Promise<Answer> {
      const { merchant: sender, query, headers } = draft;
      const fields = Object.fromEntries(new URLSearchParams(query));
      const timestamp = platform.timestamp();
      const toSign = signingString(fields, timestamp) + (draft.signed ? '' : '&x=y');
      return await platform.send(draft.method, `${MERCHANT_API}${draft.path}?${query}`, {
        'x-api-key': sender.apiKey,
        'x-timestamp': timestamp,
        'x-signature': md5(toSign + sender.apiKey),
        ...headers,
      });
    }
    const draftOfQuery = (): Draft => ({
      ...draftOf('GET', '/query/deposit', {}),
      query: 'merchant_order_no=TAKEN',
    });
    // A path below this one would be read as an order number.
    const otherPath: Check = { ...path404, fail: (draft) => (draft.path += 's') };

    it('accepts a valid request', async () => {
      expect(await sendQuery(draftOfQuery())).toMatchObject({ status: 200 });
    });

    it.each(
      pairs([
        otherPath,
        method405,
        missingHeader,
        timestamp401,
        query400,
        signature401,
        disabled403,
        field422,
        unknown404,
      ]),
    )('$first.name before $second.name', async ({ first, second }) => {
      const draft = draftOfQuery();
      second.fail(draft);
      expect(await sendQuery(draft)).toMatchObject({ status: second.status });
      first.fail(draft);
      expect(await sendQuery(draft)).toMatchObject({
        status: first.status,
        body: { success: false, code: first.code, data: null },
      });
    });
  });

  describe('of a bank notification', () => {
    const otherAccount: Check = {
      name: 'account out of scope',
      status: 403,
      code: 'AUTHORIZATION_ERROR',
      fail: (draft) => (draft.fields['account_id'] = '019b76da-a800-7000-8000-000000000000'),
    };

    async function sendNotice(draft: Draft): Promise<Answer> {
      const path = draft.path === '' ? '/bank-notifications' : '/bank-notification';
      if (draft.method !== 'POST' || draft.path !== '')
        return await platform.send(draft.method, path, draft.headers, bodyOf(draft));
      return await platform.notify(agent, bodyOf(draft), {
        headers: draft.headers,
        ...(draft.signed ? {} : { signature: '0'.repeat(64) }),
      });
    }
    const draftOfNotice = (): Draft =>
      draftOf('POST', '', {
        account_id: accountId,
        amount: '1.00',
        currency_code: 'USD',
        bank_time: '2026-01-01T00:00:00Z',
        memo: randomBytes(8).toString('hex'),
      });

    it('accepts a valid request', async () => {
      expect(await sendNotice(draftOfNotice())).toMatchObject({ status: 201 });
    });

    it.each(
      pairs([
        path404,
        method405,
        size413,
        missingHeader,
        timestamp401,
        type415,
        json400,
        signature401,
        field422,
        otherAccount,
      ]),
    )('$first.name before $second.name', async ({ first, second }) => {
      const draft = draftOfNotice();
      second.fail(draft);
      expect(await sendNotice(draft)).toMatchObject({ status: second.status });
      first.fail(draft);
      expect(await sendNotice(draft)).toMatchObject({
        status: first.status,
        body: { success: false, code: first.code, data: null },
      });
    });
  });

  it('reports a missing header before a missing timestamp', async () => {
    const headers = { 'x-signature': null, 'x-timestamp': null };
    const answer = await merchant.signed('GET', '/balance', undefined, { headers });
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_SIGNATURE' } });
  });

  it('checks the permission before the fields', async () => {
    const { id, ...rest } = await platform.merchant({ canDeposit: false });
    const sender = platform.client({ id, ...rest });
    expect(await sender.signed('POST', '/orders/deposit', {})).toMatchObject({
      status: 403,
      body: { code: 'AUTHORIZATION_ERROR' },
    });
    expect(await sender.signed('GET', '/balance')).toMatchObject({ status: 200 });
  });
});
