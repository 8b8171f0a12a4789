import { verdict } from '../../../domain/callback-verdict';
import { createCallbackSender } from '../../../temporal/http/callback-sender';
import { dnsLookup, type Lookup } from '../../../temporal/http/lookup';
import { makeCertificates } from './support/certificates';
import { countConnects } from './support/connects';
import { type DnsScript, startDnsServer } from './support/dns-server';
import { type Receiver, httpReceiver, httpsReceiver, tcpReceiver } from './support/receivers';
import { callback, INSECURE, STRICT } from './support/request';

/** A public address that is assigned to nobody: no packet for it leaves any network. */
const NOBODY = '3000::1';

/** Names of receivers whose owners point them inside. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'metadata.google.internal': ['169.254.169.254'],
  'instance-data.ec2.internal': ['169.254.169.254', 'fd00:ec2::254'],
  'azure.example': ['168.63.129.16'],
  'alibaba.example': ['100.100.100.200'],
  'localtest.me': ['127.0.0.1', '::1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'six-to-four.example': ['2002:7f00:1::1'],
  'teredo.example': ['2001:0:7f00:1::80ff:fffe'],
  'private.example': ['10.0.0.5'],
  'unique-local.example': ['fd12:3456::1'],
  'link-local.example': ['fe80::1'],
  'unspecified.example': ['0.0.0.0'],
  'unspecified6.example': ['::'],
  'broadcast.example': ['255.255.255.255'],
  'multicast.example': ['224.0.0.1'],
  'public-first.example': ['1.1.1.1', '127.0.0.1'],
  'public-last.example': ['127.0.0.1', '1.1.1.1'],
  'public-and-inside6.example': ['1.1.1.1', '::1'],
  'xn--bcher-kva.example': ['192.168.1.1'],
  'garbage.example': ['localhost'],
};

/** Hosts under the strict policy; none of them may see a socket. */
// prettier-ignore
const HOSTS = [
  // loopback in all its spellings
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001',
  '0x7f.0.0.1', '0x7f.1', '017700000001', '0177.0.0.1', '0177.0.0.01', '00177.1', '127.0x0.0.1',
  '%31%32%37.0.0.1', '１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '[::1]', '[0:0:0:0:0:0:0:1]',
  '[0000::0001]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0:7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]', 'localhost', 'LOCALHOST', 'localhost.',
  'a.localhost', 'ｌｏｃａｌｈｏｓｔ',
  // unspecified, which systems take for loopback
  '0.0.0.0', '0', '0x0', '00000000000', '[::]', '[::ffff:0.0.0.0]', '0.0.0.1',
  // metadata
  '169.254.169.254', '2852039166', '0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE', '0251.0376.0251.0376',
  '169.16689662', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]',
  '[64:ff9b::a9fe:a9fe]', '168.63.129.16', '100.100.100.200', '192.0.0.192',
  // private and other special ranges
  '10.0.0.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0300.0250.0.1', '100.64.0.1',
  '198.18.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
  '[fe80::1]', '[fec0::1]', '[fc00::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '[5f00::1]',
  ...Object.keys(NAMES), 'BÜCHER.example', 'metadata.google.internal.',
];

/** Whole URLs that try to say one host and mean another; PORT is the listening one. */
// prettier-ignore
const URLS = [
  'http://127.0.0.1:PORT/', 'http://localhost:PORT/', 'https://good.example@127.0.0.1:PORT/',
  'https://good.example:443@127.0.0.1:PORT/', 'https://user:pass@localhost:PORT/',
  'https://127.0.0.1:PORT\\@good.example/', 'https://good.example\\@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT#@good.example/', 'https://127.0.0.1:PORT?@good.example/',
  'https:127.0.0.1:PORT/', 'https:/127.0.0.1:PORT/', 'https:///127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT\\', '//127.0.0.1:PORT/', 'https://\t127.0.0.1:PORT/',
  ' https://127.0.0.1:PORT/', 'https://127.0.0.\n1:PORT/', 'gopher://127.0.0.1:PORT/_x',
  'file:///etc/passwd', 'ftp://127.0.0.1:PORT/', 'dict://127.0.0.1:PORT/', 'unix:/var/run/docker.sock',
  'data:text/plain,hello', 'javascript:alert(1)', 'https://[::1%25lo]:PORT/', 'https://[::1]:PORT/',
];

/** Resolves the names above by this table, and all others by DNS. */
const scripted: Lookup = async (host, abandoned) =>
  NAMES[host.replace(/\.$/, '')] ?? (await dnsLookup()(host, abandoned));

describe('the corpus of addresses that point inside', () => {
  let inside: Receiver;
  beforeAll(async () => {
    inside = await tcpReceiver((socket) => socket.end(), '::');
  });
  afterAll(async () => {
    await inside.close();
  });

  test(`none of ${HOSTS.length + URLS.length} spellings opens a socket`, async () => {
    const sender = createCallbackSender({ webhookSslVerify: false, lookup: scripted });
    const urls = [
      ...HOSTS.map((host) => `https://${host}:${inside.port}/hook`),
      ...URLS.map((url) => url.replace('PORT', String(inside.port))),
    ];
    const passed: string[] = [];
    const connects = await countConnects(async () => {
      for (const url of urls) {
        const answer = await sender.post(callback(url, STRICT));
        if (answer.kind !== 'blocked' || verdict(answer) !== 'FAILED') passed.push(url);
      }
    });
    sender.close();
    expect(passed).toEqual([]);
    expect(connects).toBe(0);
    expect(inside.connections()).toBe(0);
  });

  test('the insecure setting opens only loopback', async () => {
    const sender = createCallbackSender({ webhookSslVerify: false, lookup: scripted });
    const blocked: string[] = [];
    // prettier-ignore
    const refused = [
      '169.254.169.254', '[::ffff:127.0.0.1]', '[fd00:ec2::254]', '10.0.0.1', '192.168.0.1', '0.0.0.0',
      '[::]', 'metadata.google.internal', 'private.example', 'mapped.example',
    ];
    const connects = await countConnects(async () => {
      for (const host of refused) {
        const answer = await sender.post(callback(`http://${host}:${inside.port}/`, INSECURE));
        if (answer.kind === 'blocked') blocked.push(host);
      }
    });
    expect(blocked).toEqual(refused);
    expect(connects).toBe(0);

    // The counters count: the same sender reaches loopback.
    const reaching = await countConnects(async () => {
      await sender.post(callback(`http://127.0.0.1:${inside.port}/`, INSECURE));
    });
    expect(reaching).toBe(1);
    expect(inside.connections()).toBe(1);
    sender.close();
  });
});

describe('a name server that changes its answer', () => {
  let inside: Receiver;
  beforeEach(async () => {
    inside = await httpReceiver((_, response) => response.end('success'));
  });
  afterEach(async () => {
    await inside.close();
  });

  /** A sender that uses a name server with this script; counts the queries of each attempt. */
  async function asking(script: DnsScript) {
    const dns = await startDnsServer(script);
    const lookup = dnsLookup([dns.address]);
    const sender = createCallbackSender({ webhookSslVerify: false, lookup });
    const close = (): void => {
      sender.close();
      dns.close();
    };
    return { sender, queries: dns.queries, close };
  }

  test('public first, loopback at the next attempt: no socket is opened inside', async () => {
    let asked = 0;
    const { sender, queries, close } = await asking((_, type) => {
      asked++;
      if (asked <= 2) return type === 'AAAA' ? [NOBODY] : [];
      return type === 'A' ? ['127.0.0.1'] : [];
    });
    const request = callback(`https://rebind.example:${inside.port}/`, STRICT, {
      timeoutMs: 1_500,
    });
    const first = await sender.post(request);
    expect(verdict(first)).toBe('RETRY');
    expect(queries).toHaveLength(2);
    const connects = await countConnects(async () => {
      expect(await sender.post(request)).toEqual({
        kind: 'blocked',
        reason: 'address_not_allowed',
      });
    });
    expect(connects).toBe(0);
    expect(queries).toHaveLength(4);
    expect(inside.connections()).toBe(0);
    close();
  });

  test('loopback only, and loopback among public addresses: blocked', async () => {
    const { sender, close } = await asking((name, type) => {
      if (type === 'AAAA') return name === 'mixed.example' ? [NOBODY] : [];
      return ['127.0.0.1'];
    });
    for (const host of ['inside.example', 'mixed.example']) {
      const connects = await countConnects(async () => {
        const answer = await sender.post(callback(`https://${host}:${inside.port}/`, STRICT));
        expect(answer).toEqual({ kind: 'blocked', reason: 'address_not_allowed' });
      });
      expect(connects).toBe(0);
    }
    expect(inside.connections()).toBe(0);
    close();
  });

  test('an attempt connects to the checked address: it resolves once', async () => {
    let asked = 0;
    const { sender, queries, close } = await asking((_, type) => {
      if (type === 'AAAA') return [];
      asked++;
      return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
    });
    const url = `http://rebind.example:${inside.port}/`;
    expect(verdict(await sender.post(callback(url, INSECURE)))).toBe('SUCCESS');
    expect(queries).toHaveLength(2);
    close();
  });

  test('an unknown name and a silent name server are retried', async () => {
    const { sender, close } = await asking((name) => (name === 'silent.example' ? null : []));
    const unknown = await sender.post(callback('https://unknown.example/', STRICT));
    expect(unknown).toMatchObject({ kind: 'unreachable', reason: 'dns' });
    const silent = await sender.post(callback('https://silent.example/', STRICT, { timeoutMs: 400 }));
    expect(silent).toMatchObject({ kind: 'unreachable', reason: 'timeout' });
    close();
  });

  test('DNS queries of an abandoned attempt are cancelled', async () => {
    const dns = await startDnsServer(() => null);
    const abandon = new AbortController();
    const asking = dnsLookup([dns.address])('silent.example', abandon.signal);
    setTimeout(() => {
      abandon.abort();
    }, 50);
    await expect(asking).rejects.toMatchObject({ code: 'ECANCELLED' });
    dns.close();
  });
});

describe('policies', () => {
  test('a connection opened under the insecure policy does not serve the strict one', async () => {
    const pair = makeCertificates().selfSigned;
    const inside = await httpsReceiver(pair, (_, response) => response.end());
    const sender = createCallbackSender({ webhookSslVerify: false });
    const url = `https://127.0.0.1:${inside.port}/`;
    expect(verdict(await sender.post(callback(url, INSECURE)))).toBe('SUCCESS');
    expect(await sender.post(callback(url, STRICT))).toEqual({
      kind: 'blocked',
      reason: 'address_not_allowed',
    });
    expect(verdict(await sender.post(callback(url, INSECURE)))).toBe('SUCCESS');
    expect(inside.connections()).toBe(1);
    sender.close();
    await inside.close();
  });

  test('the allowlist is checked at each attempt, before the name server', async () => {
    const lookup = jest.fn(dnsLookup());
    const inside = await httpReceiver((_, response) => response.end());
    const sender = createCallbackSender({ webhookSslVerify: true, lookup });
    const url = `http://localhost:${inside.port}/`;
    const only = (...allowedHosts: string[]) => ({ allowInsecure: true, allowedHosts });
    expect(verdict(await sender.post(callback(url, only('localhost'))))).toBe('SUCCESS');
    expect(await sender.post(callback(url, only('merchant.example')))).toEqual({
      kind: 'blocked',
      reason: 'host_not_allowed',
    });
    expect(await sender.post(callback(url, only()))).toMatchObject({ kind: 'blocked' });
    expect(lookup).toHaveBeenCalledTimes(1);
    sender.close();
    await inside.close();
  });
});
