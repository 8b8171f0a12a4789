import {
  CALLBACK_URL_PROBLEMS,
  checkCallbackUrl,
  isAddressAllowed,
  isHostAllowed,
  isPublicAddress,
} from '../../domain/callback-target';

const strict = { allowInsecure: false };
const insecure = { allowInsecure: true };

// prettier-ignore
const PUBLIC = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0',
  '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0',
  '192.0.1.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255',
  '2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:200::1', '2001:4860:4860::8888',
  '2620:fe::fe', '2001:db7:ffff::1', '2003::1',
];

// prettier-ignore
const NOT_PUBLIC = [
  // this network, private, shared, loopback, link-local, metadata
  '0.0.0.0', '0.1.2.3', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.100.100.200',
  '100.127.255.255', '127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254',
  '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255',
  '168.63.129.16', '192.0.0.192',
  // IETF, documentation, 6to4 relay, benchmarks, multicast, reserved, broadcast
  '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.0', '198.19.255.255', '198.51.100.1',
  '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.254', '255.255.255.255',
  // IPv6
  '::', '::1', '::2', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:8.8.8.8',
  '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff:ffff::1', '100::1', '2001::1',
  '2001:0:7f00:1::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1', '2001:db8::1',
  '2002:7f00:1::1', '2002:808:808::1', '3fff::1', '4000::1', '5f00::1', '1000::1', 'fc00::1',
  'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ffff::1',
  '2606:4700:4700::1111%eth0', 'fe80::1%1',
  // not an address, or a spelling that no resolver returns
  '', 'localhost', '127.1', '0177.0.0.1', '0x7f000001', '2130706433', '010.8.8.8', '8.8.8',
  '8.8.8.8.', ' 8.8.8.8', '8.8.8.256', '[2606:4700:4700::1111]', '2606:4700:4700:::1111',
  '1.1.1.1/8',
];

test.each(PUBLIC)('%s is public', (ip) => {
  expect(isPublicAddress(ip)).toBe(true);
  expect(isAddressAllowed(ip, strict)).toBe(true);
});

test.each(NOT_PUBLIC)('%p is not public', (ip) => {
  expect(isPublicAddress(ip)).toBe(false);
  expect(isAddressAllowed(ip, strict)).toBe(false);
});

test('the insecure setting accepts only two plain forms of loopback in addition', () => {
  const allowed = NOT_PUBLIC.filter((ip) => isAddressAllowed(ip, insecure));
  expect(allowed).toEqual(['127.0.0.1', '127.255.255.255', '::1']);
});

const ofLength = (length: number): string => 'https://a.example/'.padEnd(length, 'p');

test.each([
  'https://merchant.example',
  'https://merchant.example/',
  'HTTPS://Merchant.Example/hook?a=b&c=%20',
  'https://merchant.example:8443/hook',
  'https://merchant.example/hook#part',
  'https://merchant.example/@user?mail=a@b.example#@',
  'https://bücher.example/häkchen',
  'https://merchant.example./hook%20here',
  `https://${'m'.repeat(63)}.example/`,
  'https://[2606:4700:4700::1111]/hook',
  'https://8.8.8.8/hook',
  // Stored, but refused when the socket connects.
  'https://127.0.0.1/hook',
  ofLength(500),
  // 500 code points, but more UTF-16 units.
  ofLength(490) + '😀'.repeat(10),
])('%s is a callback URL', (url) => {
  expect(checkCallbackUrl(url, strict)).toBe('ok');
  expect(checkCallbackUrl(url, insecure)).toBe('ok');
});

test.each([
  ['', 'url_length'],
  [ofLength(501), 'url_length'],
  ['merchant.example/hook', 'url_malformed'],
  ['//merchant.example/hook', 'url_malformed'],
  ['/hook', 'url_malformed'],
  ['https:', 'url_malformed'],
  ['https://', 'url_malformed'],
  ['https:///hook', 'url_malformed'],
  ['https:merchant.example', 'url_malformed'],
  ['https:/merchant.example', 'url_malformed'],
  ['https:\\\\merchant.example', 'url_malformed'],
  ['https://merchant.example\\@evil.example', 'url_malformed'],
  ['https://?x', 'url_malformed'],
  ['https://:443/', 'url_malformed'],
  [' https://merchant.example', 'url_malformed'],
  ['https://merchant.example/a b', 'url_malformed'],
  ['https://merchant.example/\n', 'url_malformed'],
  ['ht\ttps://merchant.example', 'url_malformed'],
  ['https://mer chant.example', 'url_malformed'],
  ['https://merchant.example:70000/', 'url_malformed'],
  ['https://merchant.example:port/', 'url_malformed'],
  ['https://[::1/', 'url_malformed'],
  ['https://[fe80::1%25eth0]/', 'url_malformed'],
  ['https://256.256.256.256/', 'url_malformed'],
  ['https://%00/', 'url_malformed'],
  ['ftp://merchant.example/', 'url_scheme'],
  ['wss://merchant.example/', 'url_scheme'],
  ['javascript://merchant.example/%0aalert(1)', 'url_scheme'],
  ['file:///etc/passwd', 'url_malformed'],
  ['data:text/plain,x', 'url_malformed'],
  ['https://user@merchant.example/', 'url_userinfo'],
  ['https://user:secret@merchant.example/', 'url_userinfo'],
  ['https://@merchant.example/', 'url_userinfo'],
  ['https://:@merchant.example/', 'url_userinfo'],
  ['https://merchant.example@evil.example/', 'url_userinfo'],
  ['https://merchant..example/', 'url_host'],
  ['https://.example/', 'url_host'],
  ['https://merchant.example../', 'url_host'],
  [`https://${'m'.repeat(64)}.example/`, 'url_host'],
  [`https://${'m.'.repeat(127)}example/`, 'url_host'],
  ['https://merchant%2Eexample/', 'url_host'],
  ['https://m%65rchant.example/', 'url_host'],
  ['https://merchant.example:0/', 'url_host'],
] as const)('%p is refused: %s', (url, problem) => {
  expect(checkCallbackUrl(url, strict)).toBe(problem);
  expect(checkCallbackUrl(url, insecure)).toBe(problem);
  expect(CALLBACK_URL_PROBLEMS[problem]).toMatch(/^must /);
});

test('http is accepted only with the insecure setting', () => {
  for (const url of ['http://merchant.example/', 'HTTP://127.0.0.1:8080/hook']) {
    expect(checkCallbackUrl(url, strict)).toBe('url_scheme');
    expect(checkCallbackUrl(url, insecure)).toBe('ok');
  }
});

test('the allowlist contains whole host names', () => {
  const allowed = (host: string, allowedHosts: string[] | null): boolean => isHostAllowed(host, { allowedHosts });
  expect(allowed('merchant.example', null)).toBe(true);
  expect(allowed('merchant.example', [])).toBe(false);
  expect(allowed('merchant.example', ['Merchant.Example'])).toBe(true);
  expect(allowed('merchant.example.', ['merchant.example'])).toBe(true);
  expect(allowed('hook.merchant.example', ['merchant.example'])).toBe(false);
  expect(allowed('merchant.example.evil.example', ['merchant.example'])).toBe(false);
});

test('the result is the same for repeated calls', () => {
  const outcomes = new Set<string>();
  for (let n = 0; n < 50_000; n++) outcomes.add(checkCallbackUrl('https://b\u00fccher.example/h\u00e4kchen', strict));
  expect([...outcomes]).toEqual(['ok']);
});
