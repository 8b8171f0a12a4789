import { newAgentKeyId, newAgentSecret, newApiKey, newSessionToken, secretHint } from '../../crypto/tokens';

test.each([
  ['sandbox api key', () => newApiKey('sandbox'), /^pre_[0-9A-Za-z]{40}$/],
  // No underscore: a production key never begins with pre_.
  ['production api key', () => newApiKey('production'), /^[0-9A-Za-z]{40}$/],
  ['agent key id', newAgentKeyId, /^ak_[0-9A-Za-z]{20}$/],
  ['agent secret', newAgentSecret, /^[0-9A-Za-z]{43}$/],
  ['session token', newSessionToken, /^[0-9A-Za-z]{43}$/],
])('%s', (_, make, shape) => {
  const made = Array.from({ length: 500 }, make);
  expect(made.filter((token) => !shape.test(token))).toEqual([]);
  expect(new Set(made).size).toBe(500);
});

test('every character occurs, about as often', () => {
  const counts = new Map<string, number>();
  const text = Array.from({ length: 1_550 }, () => newApiKey('production')).join('');
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // 1,000 expected each; 200 is more than six standard deviations.
  expect(Math.min(...counts.values())).toBeGreaterThan(800);
  expect(Math.max(...counts.values())).toBeLessThan(1_200);
});

test('a hint is the last four characters', () => {
  expect(secretHint('pre_0123456789')).toBe('6789');
});
