import { words } from '../../domain/words';

describe('a name in words', () => {
  it.each([
    ['canWithdraw', 'can withdraw'],
    ['WAITING_RETRY', 'waiting retry'],
    ['limits.THB', 'limits THB'],
    ['rotateApiKey', 'rotate api key'],
  ])('%s', (name, expected) => {
    expect(words(name)).toBe(expected);
  });
});
