import { isListed, isNetwork } from '../../domain/address-list';

test.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32', '::/0'])(
  '%s is an address or a network',
  (text) => {
    expect(isNetwork(text)).toBe(true);
  },
);

test.each(['', 'a', '1.2.3', '0177.0.0.1', '203.0.113.0/33', '203.0.113.0/', '1.1.1.1/-1', 'fe80::1%1', '/8'])(
  '%j is refused',
  (text) => {
    expect(isNetwork(text)).toBe(false);
  },
);

test.each<[string, string[], boolean]>([
  ['203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.8', ['203.0.113.7'], false],
  ['::ffff:203.0.113.7', ['198.51.100.1', '203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['2001:db8::5', ['203.0.113.0/24', '2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32'], false],
  ['203.0.113.7', ['::/0'], false],
  ['', ['0.0.0.0/0'], false],
  ['203.0.113.7', [], false],
])('%s in %j: %s', (address, networks, listed) => {
  expect(isListed(address, networks)).toBe(listed);
});
