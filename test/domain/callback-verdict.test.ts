import { type CallbackAnswer, verdict } from '../../domain/callback-verdict';

const answered = (status: number): CallbackAnswer => ({
  kind: 'answered',
  status,
  body: '',
  durationMs: 1,
});

test.each([
  [200, 'SUCCESS'],
  [201, 'SUCCESS'],
  [204, 'SUCCESS'],
  [299, 'SUCCESS'],
  [300, 'FAILED'],
  [302, 'FAILED'],
  [399, 'FAILED'],
  [400, 'FAILED'],
  [408, 'FAILED'],
  [429, 'FAILED'],
  [499, 'FAILED'],
  [500, 'RETRY'],
  [503, 'RETRY'],
  [599, 'RETRY'],
  [100, 'RETRY'],
  [199, 'RETRY'],
  [600, 'RETRY'],
  [999, 'RETRY'],
  [0, 'RETRY'],
])('status %i means %s', (status, expected) => {
  expect(verdict(answered(status))).toBe(expected);
});

test('a refused target ends the delivery; an unreachable one is retried', () => {
  expect(verdict({ kind: 'blocked', reason: 'address_not_allowed' })).toBe('FAILED');
  expect(verdict({ kind: 'unreachable', reason: 'timeout', detail: '' })).toBe('RETRY');
});
