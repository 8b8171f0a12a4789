import { KEPT_BYTES, KeptBody } from '../../../temporal/http/kept-body';

const SECRET = 'pre_0123456789abcdef';

/** The kept text of a body that arrives in chunks of this size. */
function keep(body: string | Buffer, chunk = 7, secrets: string[] = [SECRET]): string {
  const kept = new KeptBody(secrets);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += chunk) {
    if (!kept.add(bytes.subarray(at, at + chunk))) break;
  }
  return kept.text();
}

test('keeps a short body whole', () => {
  expect(keep('')).toBe('');
  expect(keep('success')).toBe('success');
  expect(keep('добре 😀', 1)).toBe('добре 😀');
});

test('replaces invalid UTF-8 and removes NUL', () => {
  expect(keep(Buffer.from([0x6f, 0x00, 0xff, 0x6b]))).toBe('o�k');
});

test('cuts at 4 KiB and requests no more than it needs', () => {
  expect(keep('x'.repeat(KEPT_BYTES))).toHaveLength(KEPT_BYTES);
  expect(keep('x'.repeat(KEPT_BYTES + 1))).toHaveLength(KEPT_BYTES);
  const kept = new KeptBody([]);
  expect(kept.add(Buffer.alloc(KEPT_BYTES - 1, 'x'))).toBe(true);
  expect(kept.add(Buffer.alloc(1, 'x'))).toBe(false);
});

test('masks echoed secrets, wherever chunks and the cut fall', () => {
  expect(keep(`key=${SECRET}&again=${SECRET}`)).toBe(`key=${'*'.repeat(20)}&again=${'*'.repeat(20)}`);
  for (let before = KEPT_BYTES - 25; before <= KEPT_BYTES + 5; before++) {
    const text = keep('x'.repeat(before) + SECRET + 'y'.repeat(100), 1000);
    expect(text).toHaveLength(KEPT_BYTES);
    expect(text).toMatch(/^x+\**y*$/);
  }
  expect(keep('nothing to hide', 7, [''])).toBe('nothing to hide');
});

test('masks echoed secrets in base64, at any place of what is encoded', () => {
  for (const alphabet of ['base64', 'base64url'] as const)
    for (let before = 0; before < 3; before++) {
      const echoed = Buffer.from(`${'x'.repeat(before)}${SECRET}&more=>>??`).toString(alphabet);
      const text = keep(`{"headers":"${echoed}"}`);
      expect(text).toHaveLength(echoed.length + 14);
      const readable = Buffer.from(text.slice(12, -2).replaceAll('*', 'A'), alphabet).toString();
      expect(readable).not.toMatch(/pre_|0123|cdef/);
      expect(readable).toContain('&more=>>??');
    }
});
