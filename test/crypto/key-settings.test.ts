import { randomBytes } from 'node:crypto';
import { readKeys, ringKeys } from '../../crypto/key-settings';

const random = (): string => randomBytes(32).toString('base64');
const first = {
  CAUSEWAY_LOOKUP_KEY: random(),
  CAUSEWAY_ENCRYPTION_KEY: random(),
  CASHIER_TOKEN_SECRET: random(),
};

test('the keys from before the ring come first, and a ring alone is enough', () => {
  const [one, two] = [random(), random()];
  const both = readKeys({ ...first, CAUSEWAY_KEYS: `${one},\n${two}\n` }, true).ring;
  expect(both.map(({ named }) => named)).toEqual([false, true, true]);
  const alone = readKeys({ CAUSEWAY_KEYS: `${one} ${two}`, CAUSEWAY_AUDIT_KEY: random() }, true);
  expect(alone.ring).toEqual(both.slice(1));
  expect(alone.audit).toMatchObject({ lookup: null });
  expect(ringKeys(undefined)).toEqual([]);
});

test.each([
  ['nothing', {}, 'CAUSEWAY_KEYS must have a key'],
  ['one of the three', { CAUSEWAY_LOOKUP_KEY: random() }, 'CAUSEWAY_ENCRYPTION_KEY must be set'],
  ['two equal ones', { ...first, CASHIER_TOKEN_SECRET: first.CAUSEWAY_LOOKUP_KEY }, 'must differ'],
  ['a short one', { CAUSEWAY_KEYS: randomBytes(31).toString('base64') }, 'CAUSEWAY_KEYS must be 32 bytes'],
])('%s is refused everywhere', (_, texts, why) => {
  expect(() => readKeys(texts, false)).toThrow(why);
});

test('the key of the audit log is none of the ring', () => {
  const key = random();
  expect(() => readKeys({ ...first, CAUSEWAY_KEYS: key, CAUSEWAY_AUDIT_KEY: key }, false)).toThrow(
    'must be different keys',
  );
});

const filled = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
test.each([
  ['zeros', filled(0), 'a sample'],
  ['one byte', filled(7), 'a sample'],
  ['a count', Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64'), 'a sample'],
  ['a phrase', Buffer.from('correct horse battery staple 123').toString('base64'), 'a text'],
  ['halves', Buffer.concat(Array(2).fill(randomBytes(16)) as Buffer[]).toString('base64'), 'repeats'],
  ['few bytes', Buffer.from('0102ff'.repeat(11).slice(0, 64), 'hex').toString('base64'), 'repeats'],
])('production refuses %s, and names the setting', (_, key, why) => {
  for (const name of ['CAUSEWAY_KEYS', 'CAUSEWAY_AUDIT_KEY', 'CAUSEWAY_ENCRYPTION_KEY'] as const) {
    const texts = { ...first, [name]: key };
    expect(() => readKeys(texts, true)).toThrow(new RegExp(`^${name}: .*${why}`));
    expect(() => readKeys(texts, false)).not.toThrow();
  }
});

test('production refuses one key in two settings', () => {
  const twice = { ...first, CAUSEWAY_AUDIT_KEY: first.CAUSEWAY_LOOKUP_KEY };
  expect(() => readKeys(twice, true)).toThrow('CAUSEWAY_LOOKUP_KEY and CAUSEWAY_AUDIT_KEY');
});

test('production takes random keys', () => {
  for (let n = 0; n < 1_000; n++)
    expect(() => readKeys({ CAUSEWAY_KEYS: random(), CAUSEWAY_AUDIT_KEY: random() }, true)).not.toThrow();
});
