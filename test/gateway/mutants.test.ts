import {
  depositBody,
  md5,
  MERCHANT_API,
  type MerchantClient,
  Platform,
  signingString,
} from '../support/platform';

const MUTANTS = 300;
const SEED = 20_260_102;

/** Mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

describe('mutated signed requests', () => {
  const random = seeded(SEED);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open();
    await platform.account();
    merchant = await platform.merchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  function original(): Sent & { number: string } {
    const body = depositBody({
      extra_data: 'Zürich 😀',
      user_id: 'u',
      a: [1, { b: null }],
      n: 1.5,
    });
    const timestamp = platform.timestamp();
    return {
      number: body.merchant_order_no,
      method: 'POST',
      path: `${MERCHANT_API}/orders/deposit`,
      headers: {
        'x-api-key': merchant.apiKey,
        'x-timestamp': timestamp,
        'x-signature': md5(signingString(body, timestamp) + merchant.apiKey),
        'content-type': 'application/json',
      },
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  /** One byte of a text, other than it was and fit for a header. */
  function otherCharacter(text: string): string {
    const at = below(text.length);
    const code = 33 + ((text.charCodeAt(at) - 33 + 1 + below(93)) % 94);
    return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
  }

  const mutations: readonly ((sent: Sent) => void)[] = [
    (sent) => {
      const at = below(sent.body.length);
      sent.body[at] = ((sent.body[at] ?? 0) + 1 + below(255)) % 256;
    },
    (sent) => {
      const at = below(sent.body.length);
      sent.body = Buffer.concat([sent.body.subarray(0, at), sent.body.subarray(at + 1 + below(8))]);
    },
    (sent) => {
      const at = below(sent.body.length + 1);
      const piece = pick([
        '\0',
        '{',
        '"',
        ',',
        '\\',
        'é',
        ' ',
        '0',
        '\ud83d',
        '\ufeff',
        '"x":1,',
        '\r\n',
      ]);
      sent.body = Buffer.concat([
        sent.body.subarray(0, at),
        Buffer.from(piece),
        sent.body.subarray(at),
      ]);
    },
    (sent) => {
      const from = below(sent.body.length);
      sent.body = Buffer.concat([sent.body, sent.body.subarray(from)]);
    },
    (sent) => {
      const name = pick(['x-api-key', 'x-timestamp', 'x-signature']);
      sent.headers[name] = otherCharacter(sent.headers[name] ?? 'x');
    },
    (sent) => {
      sent.headers = Object.fromEntries(Object.entries(sent.headers).filter(() => random() < 0.6));
    },
    (sent) => {
      sent.path = pick([
        otherCharacter(sent.path),
        `${sent.path}?${otherCharacter('a=b')}`,
        `${sent.path}?%f`,
      ]);
    },
    (sent) => {
      sent.method = pick(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']);
    },
    (sent) => {
      sent.headers['content-type'] = pick([
        'text/json',
        'application/json5',
        '',
        '*/*',
        'application/json;x',
      ]);
    },
  ];

  /** What a right client would have signed for these bytes with this timestamp; null if no client would. */
  function rightSignature({ body, headers }: Sent): string | null {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
      const fields = JSON.parse(text) as Record<string, unknown>;
      return md5(signingString(fields, headers['x-timestamp'] ?? '') + merchant.apiKey);
    } catch {
      return null;
    }
  }

  it(`${MUTANTS} of them: none accepted that should not be, no 500, nothing outside the envelope`, async () => {
    const codes = new Map<string, number>();
    for (let i = 0; i < MUTANTS; i++) {
      const { number, ...sent } = original();
      const before = Buffer.from(sent.body);
      for (let rounds = 1 + below(2); rounds > 0; rounds--) pick(mutations)(sent);

      const answer = await platform.send(sent.method, sent.path, sent.headers, sent.body);

      expect(Object.keys(answer.body)).toEqual(['success', 'code', 'message', 'data']);
      codes.set(answer.body.code, (codes.get(answer.body.code) ?? 0) + 1);
      if (answer.status >= 500) throw new Error(`mutant ${i}: ${answer.text}`);
      expect(answer.body.success).toBe(answer.status === 201);
      if (answer.status !== 201) {
        expect(answer.body.data).toBeNull();
        continue;
      }
      // Accepted: only where what was signed is still what was sent.
      expect(sent.headers['x-api-key']).toBe(merchant.apiKey);
      expect(sent.headers['x-signature']?.toLowerCase()).toBe(rightSignature(sent));
      const found = await merchant.signed('GET', `/query/deposit?merchant_order_no=${number}`);
      expect(found.status).toBe(200);
      if (!before.equals(sent.body))
        expect(JSON.parse(sent.body.toString())).toEqual(JSON.parse(before.toString()));
    }
    const refused = MUTANTS - (codes.get('SUCCESS') ?? 0);
    expect(refused).toBeGreaterThan(MUTANTS * 0.8);
    expect(codes.size).toBeGreaterThan(5);
  });
});
