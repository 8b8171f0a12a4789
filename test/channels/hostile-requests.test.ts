import fc from 'fast-check';
import { type Channel, createChannels, type PayoutRequest, tryMapping } from '../../channels';
import { HOSTILE } from '../../channels/kit/hostile';
import { signedRequest } from '../../channels/mapped/signed-request';
import type { DepositRequest } from '../../channels/channel';
import { readMapping, readStoredMapping } from '../../domain/mapping/check';
import { textAt, valuesOfForm, valuesOfJson } from '../../domain/mapping/document';
import type { Mapping } from '../../domain/mapping/schema';
import { money } from '../../domain/money';
import { PROVIDERS } from '../support/providers';

const SEED = { seed: 41 };

interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
type Json = Record<string, unknown>;
interface Field {
  readonly to: string;
  readonly value: string;
  readonly as?: 'text' | 'number' | 'json';
}
interface Whole {
  readonly settings: { readonly sandbox: { readonly values: Record<string, string> } };
  readonly signature: Json;
  readonly operations: Record<string, Json & { readonly fields: readonly Field[] }>;
}
const HMAC = PROVIDERS.find(({ name }) => name.startsWith('HMAC')) ?? PROVIDERS[0];
const whole = (mapping: unknown): Whole => structuredClone(mapping) as Whole;

/** A channel whose requests are kept instead of sent. */
function channelOf(
  mapping: unknown,
  { secret = 'a secret', keyId = 'k', baseUrl = 'https://provider.example' } = {},
): { readonly channel: Channel; readonly posted: Posted[] } {
  const posted: Posted[] = [];
  const open = createChannels({
    environment: 'sandbox',
    sealer: { open: (sealed) => sealed },
    clock: () => new Date('2026-01-02T00:00:00Z'),
    post: async (request) => {
      posted.push(request);
      return await Promise.resolve({ kind: 'unreachable', reason: 'timeout', detail: '' } as const);
    },
  });
  const channel = open({
    id: 'test',
    mockOutcome: null,
    timeoutSeconds: 5,
    baseUrl,
    keyId,
    sealedSecret: secret,
    mapped: true,
    mapping,
  });
  return { channel, posted };
}

const payout = (over: Partial<PayoutRequest> = {}): PayoutRequest => ({
  reference: 'W1',
  amount: money('10'),
  currencyCode: 'THB',
  bankCode: '004',
  bankBranch: 'b',
  beneficiaryName: 'A',
  beneficiaryAccount: '1',
  ...over,
});
const deposit = (over: Partial<DepositRequest> = {}): DepositRequest => ({
  reference: 'D1',
  amount: money('10'),
  currencyCode: 'THB',
  contact: { mobile: '1', email: 'a@b.example' },
  account: { bankCode: '004', accountNo: '1', remark: 'R' },
  expireAt: new Date('2026-01-02T01:00:00Z'),
  ...over,
});

/** The attack that was played: an account number that brings an amount of its own. */
const PLAYED = '7,"amount":"999999.00"';
const FIELD = { to: '/receiver_account_no', value: '{beneficiary_account}' } as const;
function withField(field: Field): Whole {
  const mapping = whole(HMAC?.mapping);
  const { sendPayout } = mapping.operations;
  Object.assign(sendPayout ?? {}, { fields: [...(sendPayout?.fields ?? []), field] });
  return mapping;
}
function withPath(path: string): Whole {
  const mapping = whole(HMAC?.mapping);
  Object.assign(mapping.operations['sendPayout'] ?? {}, { path });
  return mapping;
}
const problemsOf = (mapping: unknown): string[] => {
  const read = readMapping(mapping);
  return 'problems' in read ? read.problems.map(({ path, problem }) => `${path} ${problem}`) : [];
};

describe('text of others in a request to a provider', () => {
  it('is no number and no JSON: refused when it is saved, tried and sent', async () => {
    for (const field of [
      { ...FIELD, as: 'number' } as const,
      { ...FIELD, value: '["{beneficiary_account}"]', as: 'json' } as const,
      { ...FIELD, value: '{amount}{bank_branch}', as: 'text' } as const,
      { ...FIELD, value: '{amount}0', as: 'number' } as const,
    ]) {
      const mapping = withField(field);
      const at = /^\/operations\/sendPayout\/fields\/5\/value must (not )?be/;
      expect(problemsOf(mapping)).toEqual([expect.stringMatching(/^\/operations\/sendPayout\/fields\/5\/value must/)]);
      if (field.as !== 'text') expect(problemsOf(mapping)[0]).toMatch(at);
      const stored = readStoredMapping(mapping);
      if ('problems' in stored) throw new Error('it was saved by older rules');
      const failed = (await tryMapping(stored, 'sandbox', 'a secret')).filter((one) => !one.passed);
      expect(failed.map(({ detail }) => detail)).toContainEqual(
        expect.stringContaining('/operations/sendPayout/fields/5/value'),
      );
      const { channel, posted } = channelOf(mapping);
      for (const beneficiaryAccount of [PLAYED, '7'])
        expect(await channel.sendPayout(payout({ beneficiaryAccount }))).toMatchObject({
          kind: 'REFUSED',
          unsent: true,
          reason: expect.stringContaining('/operations/sendPayout/fields/5/value') as unknown,
        });
      expect(await channel.openDeposit(deposit())).toMatchObject({ kind: 'REFUSED', unsent: true });
      expect(await channel.health()).toMatchObject({ health: 'DOWN' });
      expect(posted).toEqual([]);
      // What was sent before is still queried.
      expect(await channel.queryPayout(payout())).toMatchObject({ kind: 'UNKNOWN' });
      expect(posted).toHaveLength(1);
    }
  });

  it('may stand beside our own values where nothing can be shifted', () => {
    for (const field of [
      { ...FIELD, value: '{bank_code}', as: 'number' } as const,
      { ...FIELD, value: '["{reference}", "{amount}"]', as: 'json' } as const,
      { ...FIELD, value: 'Payout {reference} to {beneficiary_name}' } as const,
    ])
      expect(problemsOf(withField(field))).toEqual([]);
    for (const path of ['/v1/{beneficiary_account}/{amount}', '/v1?n={beneficiary_name}&a={amount}'])
      expect(problemsOf(withPath(path))).toEqual([]);
  });

  it.each([
    ['/pay?d={beneficiary_name}%7C{amount}', '{amount}'],
    ['/acc/{beneficiary_name}-{amount}', '{amount}'],
    ['/acc/{amount}{bank_branch}/pay', '{amount}'],
    ['/acc/{beneficiary_account},{currency}', '{currency}'],
    ['/acc?to={beneficiary_account}+{reference}', '{reference}'],
  ])('is not joined with what we ask for in an address: %s', async (path, ours) => {
    const mapping = withPath(path);
    const problem = `must not join ${ours} with {b`;
    expect(problemsOf(mapping)).toEqual([expect.stringContaining(`/operations/sendPayout/path ${problem}`)]);
    const { channel, posted } = channelOf(mapping);
    expect(await channel.sendPayout(payout())).toMatchObject({
      kind: 'REFUSED',
      unsent: true,
      reason: expect.stringContaining(problem) as unknown,
    });
    expect(posted).toEqual([]);
  });

  it.each([
    ['{beneficiary_account},{currency}', /must not join \{currency\} with \{beneficiary_account\}/],
    ['{reference}/{beneficiary_name}', /must not join \{reference\} with/],
    ['{beneficiary_name} {reference}', /must not join \{reference\} with/],
    ['{beneficiary_name}{reference}', /must not join \{reference\} with/],
    ['to={reference}-{beneficiary_name};by=us', /must not join \{reference\} with/],
  ])('is not joined with what we ask for in a list of values: %s', (value, why) => {
    expect(problemsOf(withField({ ...FIELD, value }))).toEqual([expect.stringMatching(why)]);
  });

  it('ends no part of a segment, nor of a value of a query', async () => {
    for (const path of ['/a/{beneficiary_name}%7C{reference}', '/a?d={beneficiary_name}%7C{reference}']) {
      const { channel, posted } = channelOf(withPath(path));
      expect(await channel.sendPayout(payout({ beneficiaryName: 'x|W2' }))).toMatchObject({
        unsent: true,
        reason: 'not sent: the address has a separator in its text',
      });
      expect(posted).toEqual([]);
      for (const beneficiaryName of ['Smith & Sons', 'A=B', 'C/O: D'])
        await channel.sendPayout(payout({ beneficiaryName }));
      expect(posted).toHaveLength(3);
    }
  });

  it('quotes our own texts in JSON, and writes no number that is none', async () => {
    const mapping = withField({ to: '/list', value: '["{reference}"]', as: 'json' });
    const { channel, posted } = channelOf(mapping);
    await channel.sendPayout(payout({ reference: 'W"1' }));
    expect(JSON.parse(posted[0]?.body ?? '')).toMatchObject({ list: ['W"1'], foreign_id: 'W"1' });
    const number = channelOf(withField({ to: '/bank', value: '{bank_code}', as: 'number' }));
    for (const bankCode of ['007', '1e5', '', '7,"amount":1', '+7', '0x7'])
      expect(await number.channel.sendPayout(payout({ bankCode }))).toMatchObject({
        kind: 'REFUSED',
        unsent: true,
        reason: 'not sent: /bank is no number',
      });
    await number.channel.sendPayout(payout({ bankCode: '7' }));
    expect(number.posted.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ bank: 7 }]);
  });

  it.each<[string, (send: Json) => Json, RegExp]>([
    [
      'a field inside of another',
      ({ fields }) => ({ fields: [...(fields as Field[]), { to: '/amount/x', value: '1' }] }),
      /fields\/2\/to holds another/,
    ],
    [
      'a constant that is no number',
      ({ fields }) => ({
        fields: [...(fields as Field[]), { to: '/n', value: 'x', as: 'number' }],
      }),
      /must be a number/,
    ],
    [
      'a header twice',
      () => ({
        headers: [
          { name: 'X-A', value: '1' },
          { name: 'x-a', value: '2' },
        ],
      }),
      /headers\/1\/name occurs twice/,
    ],
    [
      'a header over the signature',
      () => ({ headers: [{ name: 'X-Processing-SIGNATURE', value: '1' }] }),
      /where the signature is put/,
    ],
    ['a path with ..', () => ({ path: '/a/../b/{reference}' }), /path must be as it is sent/],
    ['a path with %2e', () => ({ path: '/a/%2E%2e/b' }), /path must be as it is sent/],
    ['a path with a fragment', () => ({ path: '/a#{reference}' }), /path must be as it is sent/],
  ])('is read from a request that could be sent: not with %s', (_what, change, why) => {
    const mapping = whole(HMAC?.mapping);
    const send = mapping.operations['sendPayout'] as Json;
    Object.assign(send, change(send));
    expect(problemsOf(mapping).join('\n')).toMatch(why);
  });

  it('never leads to another path', async () => {
    const mapping = whole(HMAC?.mapping);
    Object.assign(mapping.operations['sendPayout'] ?? {}, {
      path: '/v1/accounts/{beneficiary_account}/payouts',
    });
    expect(problemsOf(mapping)).toEqual([]);
    const { channel, posted } = channelOf(mapping, { baseUrl: 'https://provider.example/api/' });
    const leaving = ['..', '.', '', ' ', '%2e%2e', '.%2E', '%252e%252e', '../x', 'x/..', '..\\x'];
    const disguised = ['．．', '‥', '..／x', '％2e％2e', '.\t.', '..\u0001', '..\0x', '.\u200b.', '\u0001'];
    const undecodable = ['%2e%2e/%', '%c0%ae%c0%ae%c0%afx', '..%5c%'];
    for (const beneficiaryAccount of [...leaving, '/', 'a//b', '..;x', ...disguised, ...undecodable])
      expect(await channel.sendPayout(payout({ beneficiaryAccount }))).toMatchObject({
        kind: 'REFUSED',
        unsent: true,
        reason: expect.stringContaining('path') as unknown,
      });
    expect(posted).toEqual([]);
    for (const beneficiaryAccount of ['123-4', '12/34', "O'X", '%', 'ก', '?a=b', '#x', '1..2'])
      await channel.sendPayout(payout({ beneficiaryAccount }));
    expect(posted.map(({ url }) => decodeURIComponent(new URL(url).pathname))).toEqual(
      ['123-4', '12/34', "O'X", '%', 'ก', '?a=b', '#x', '1..2'].map((account) => `/api/v1/accounts/${account}/payouts`),
    );
  });

  it('is no segment of a path if it is empty', async () => {
    const { channel, posted } = channelOf(withPath('/acc/{beneficiary_account}.json'));
    for (const beneficiaryAccount of ['', ' ', '\u0001', '\u3000'])
      expect(await channel.sendPayout(payout({ beneficiaryAccount }))).toMatchObject({
        kind: 'REFUSED',
        unsent: true,
        reason: expect.stringContaining('path') as unknown,
      });
    expect(posted).toEqual([]);
    await channel.sendPayout(payout({ beneficiaryAccount: '1' }));
    expect(posted.map(({ url }) => new URL(url).pathname)).toEqual(['/acc/1.json']);
  });

  it('becomes no other field of what is signed, and honest names are sent', async () => {
    const [md5] = PROVIDERS;
    const { channel, posted } = channelOf(md5?.mapping, { secret: '{"sign":"s","token":"t"}' });
    for (const beneficiaryAccount of ['7&amount=9', '7&a=', '&&amount=1'])
      expect(await channel.sendPayout(payout({ beneficiaryAccount }))).toMatchObject({
        kind: 'REFUSED',
        unsent: true,
        reason: expect.stringContaining('signed') as unknown,
      });
    expect(posted).toEqual([]);
    for (const beneficiaryName of ['Smith & Sons', 'A=B', 'Anne-Marie O’Neil, Jr.'])
      await channel.sendPayout(payout({ beneficiaryName }));
    expect(posted).toHaveLength(3);
  });

  it.each<[string, Json, readonly string[]]>([
    [
      'a list',
      {
        text: '{fields}&key={secret}',
        fields: {
          of: [
            { name: 'name', value: '{beneficiary_name}' },
            { name: 'ref', value: '{reference}' },
          ],
          order: 'given',
          assign: '=',
          separator: '&',
          skipEmpty: false,
          encode: 'none',
        },
      },
      ['x&ref=W2', '&ref=W2&'],
    ],
    [
      'lines',
      {
        text: '{fields}{secret}',
        fields: {
          of: [
            { name: 'name', value: '{beneficiary_name}' },
            { name: 'ref', value: '{reference}' },
          ],
          order: 'given',
          assign: null,
          separator: '\n',
          skipEmpty: false,
          encode: 'none',
        },
      },
      ['x\nW2'],
    ],
    ['a text', { text: '{amount}|{beneficiary_name}|{reference}|{secret}' }, ['x|9.00|W2', '|']],
    ['a text of lines', { text: '{amount}\n{beneficiary_name}\n{reference}' }, ['x\nW2', 'x\n']],
  ])('shifts nothing in %s that is signed', (_what, rule, hostile) => {
    const mapping = whole(HMAC?.mapping);
    Object.assign(mapping.signature, rule);
    // No such mapping can be saved today: a signature names no text of others.
    expect(problemsOf(mapping)).toEqual([expect.stringContaining('{beneficiary_name} is not known')]);
    const signing = {
      mapping: mapping as unknown as Mapping,
      baseUrl: 'https://provider.example',
      keyId: 'k',
      secrets: { sign: 'a secret' },
      values: {},
    };
    const send = signing.mapping.operations.sendPayout;
    const build = (name: string) => {
      if (!send) throw new Error('it has none');
      const order = { reference: 'W1', amount: '10.00', currency: 'THB', beneficiary_account: '1' };
      return signedRequest(signing, send, { ...order, beneficiary_name: name }, new Date(0));
    };
    for (const name of hostile) expect(build(name)).toEqual({ problem: expect.stringContaining('signed') as unknown });
    for (const name of ['Smith & Sons', 'A=B', 'Anne-Marie O’Neil, Jr.'])
      expect(build(name)).toMatchObject({ method: 'POST' });
  });

  it('ends no header and no part of a joined text', async () => {
    const mapping = whole(HMAC?.mapping);
    Object.assign(mapping.operations['sendPayout'] ?? {}, {
      headers: [
        { name: 'X-Name', value: '{beneficiary_name}' },
        { name: 'X-To', value: 'account={beneficiary_account};by=us' },
      ],
    });
    const { channel, posted } = channelOf(mapping);
    for (const beneficiaryName of ['x\r\nx-amount: 9', 'x\ny', '\0', 'ก'])
      expect(await channel.sendPayout(payout({ beneficiaryName }))).toMatchObject({ unsent: true });
    for (const beneficiaryAccount of ['7;by=them', '7=', 'a;b'])
      expect(await channel.sendPayout(payout({ beneficiaryAccount }))).toMatchObject({
        unsent: true,
        reason: 'not sent: the header X-To has a separator in its text',
      });
    expect(posted).toEqual([]);
    await channel.sendPayout(payout({ beneficiaryName: 'Smith & Sons', beneficiaryAccount: '1-2' }));
    expect(posted[0]?.headers).toMatchObject({ 'x-to': 'account=1-2;by=us' });
  });
});

/** The places of what is asked, of each documented mapping. */
const PLACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MD5: { amount: '/amount', reference: '/payout_cl_id', name: '/name', account: '/number' },
  HMAC: {
    amount: '/amount',
    reference: '/foreign_id',
    currency: '/currency',
    account: '/address',
    name: '/receiver_data/legal_name',
  },
  RSA: {
    amount: '/order/amount',
    reference: '/order/id',
    currency: '/order/currencyType',
    account: '/payee/account',
    name: '/payee/name',
    bank: '/payee/bankCode',
  },
};

describe.each(PROVIDERS.map((one) => [one.name, one] as const))('hostile text in requests by %s', (name, provider) => {
  const places = PLACES[name.split(' ')[0] ?? ''] ?? {};
  const currencyCode = provider.currency;
  const amount = name.startsWith('HMAC') ? '10.00' : '1000';

  it('leaves the amount, the currency, the reference and the beneficiary as asked, once', async () => {
    const { secret, keyId } = provider;
    const hostile = [...HOSTILE, 'x&amount=1', '","x":"', '\t', 'ก'.repeat(64)];
    let sent = 0;
    const usual = channelOf(provider.mapping, { secret, keyId });
    const channelWith = (key: 'settings' | 'keyId', text: string) => {
      const mapping = whole(provider.mapping);
      const { values } = mapping.settings.sandbox;
      if (key === 'settings') for (const one of Object.keys(values)) values[one] = text;
      return channelOf(mapping, { secret, keyId: key === 'keyId' ? text : keyId });
    };
    for (const key of [
      'reference',
      'bankCode',
      'bankBranch',
      'beneficiaryName',
      'beneficiaryAccount',
      'settings',
      'keyId',
    ] as const)
      for (const [n, text] of hostile.entries()) {
        const ours = key === 'settings' || key === 'keyId';
        // Operators write these: a few are enough, and each needs a channel of its own.
        if (ours && n % 4 !== 0) continue;
        const { channel, posted } = ours ? channelWith(key, text) : usual;
        posted.length = 0;
        const asked = payout({
          currencyCode,
          ...(!ours && { [key]: text }),
        });
        const answer = await channel.sendPayout(asked);
        expect(posted).toHaveLength(answer.kind === 'UNKNOWN' ? 1 : 0);
        if (answer.kind !== 'UNKNOWN') {
          expect(answer).toMatchObject({ kind: 'REFUSED', unsent: true });
          continue;
        }
        sent++;
        const read = valuesOfJson(posted[0]?.body ?? '');
        if (read === undefined) throw new Error(`not JSON, or a key twice: ${text}`);
        expect(Object.fromEntries(Object.entries(places).map(([at, to]) => [at, textAt(read, to)]))).toEqual(
          Object.fromEntries(
            Object.entries({
              amount,
              reference: asked.reference || null,
              currency: currencyCode,
              account: asked.beneficiaryAccount || null,
              name: asked.beneficiaryName || null,
              bank: asked.bankCode || null,
            }).filter(([at]) => at in places),
          ),
        );
        expect(new URL(posted[0]?.url ?? '').pathname).toMatch(/^(\/[a-z0-9]+)+$/);
      }
    expect(sent).toBeGreaterThan(150);
  });

  it('leaves a deposit as asked too', async () => {
    const { channel, posted } = channelOf(provider.mapping, provider);
    for (const text of HOSTILE) {
      posted.length = 0;
      await channel.openDeposit(
        deposit({
          currencyCode,
          contact: { mobile: text, email: text },
          account: { bankCode: text, accountNo: text, remark: text },
        }),
      );
      expect(textAt(valuesOfJson(posted[0]?.body ?? '') ?? null, places['amount'] ?? '')).toBe(amount);
    }
  });
});

/** A mapping of payouts with any fields, encoding and signature. */
const generated = fc.record({
  encoding: fc.constantFrom('json', 'form', 'query'),
  names: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 8, maxLength: 8 }),
  nested: fc.boolean(),
  number: fc.boolean(),
  sortKeys: fc.boolean(),
  escapeHtml: fc.boolean(),
  inPath: fc.boolean(),
  inHeader: fc.boolean(),
  put: fc.constantFrom('header', 'field'),
  assign: fc.constantFrom('=', ':', null),
  separator: fc.constantFrom('&', '|', ''),
  encode: fc.constantFrom('none', 'uri', 'form'),
  joined: fc.constantFrom('{beneficiary_name}', 'to {beneficiary_name}', 'n:{beneficiary_name}'),
});
type Generated = typeof generated extends fc.Arbitrary<infer One> ? One : never;

function mappingOf(one: Generated): unknown {
  const mapping = whole(HMAC?.mapping);
  const [amount, reference, currency, account, name, bank, sign, group] = one.names;
  const within = one.nested && one.encoding === 'json' ? `/${group}` : '';
  mapping.operations['sendPayout'] = {
    ...(mapping.operations['sendPayout'] ?? { fields: [] }),
    method: one.encoding === 'query' ? 'GET' : 'POST',
    path: one.inPath ? '/v1/{beneficiary_account}/pay' : '/v1/pay',
    encoding: one.encoding,
    sortKeys: one.sortKeys,
    escapeHtml: one.escapeHtml,
    headers: one.inHeader ? [{ name: 'X-To', value: '{beneficiary_account}' }] : [],
    fields: [
      { to: `${within}/${amount}`, value: '{amount}', ...(one.number && { as: 'number' }) },
      { to: `/${reference}`, value: '{reference}' },
      { to: `/${currency}`, value: '{currency}' },
      { to: `${within}/${account}`, value: '{beneficiary_account}' },
      { to: `/${name}`, value: one.joined },
      { to: `/${bank}`, value: '{bank_code}/{bank_branch}' },
    ],
  };
  const rule = { of: 'message', order: 'sorted', assign: one.assign, separator: one.separator };
  Object.assign(mapping.signature, {
    text: '{fields}{secret}',
    fields: { ...rule, skipEmpty: false, encode: one.encode },
    put: { in: one.put, name: one.put === 'field' ? sign : 'X-Sign' },
  });
  return mapping;
}

it('hostile text changes nothing in any mapping that can be saved', async () => {
  const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 64 }));
  await fc.assert(
    fc.asyncProperty(generated, text, text, text, async (one, first, second, third) => {
      const mapping = mappingOf(one);
      const read: Mapping | { problems: unknown } = readMapping(mapping);
      expect(read).not.toHaveProperty('problems');
      const { channel, posted } = channelOf(mapping);
      const asked = payout({
        beneficiaryAccount: first,
        beneficiaryName: second,
        bankBranch: third,
      });
      const answer = await channel.sendPayout(asked);
      if (answer.kind === 'REFUSED') {
        expect([answer.unsent, posted.length]).toEqual([true, 0]);
        return;
      }
      const [{ url, body } = { url: '', body: '' }] = posted;
      const { pathname, search } = new URL(url);
      const values =
        one.encoding === 'json' ? valuesOfJson(body) : valuesOfForm(one.encoding === 'form' ? body : search.slice(1));
      if (values === undefined) throw new Error('a key comes twice');
      const within = one.nested && one.encoding === 'json' ? `/${one.names[7]}` : '';
      const at = (name: string | undefined, inside = ''): string => textAt(values, `${inside}/${name}`) ?? '';
      const [amount, reference, currency, account, name] = one.names;
      expect([at(amount, within), at(reference), at(currency), at(account, within)]).toEqual([
        ...['10.00', 'W1', 'THB', first],
      ]);
      expect(at(name)).toBe(one.joined.replace('{beneficiary_name}', () => second));
      expect(pathname).toBe(one.inPath ? `/v1/${encodeURIComponent(first)}/pay` : '/v1/pay');
    }),
    { ...SEED, numRuns: 300 },
  );
});
