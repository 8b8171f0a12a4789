import { setImmediate } from 'node:timers/promises';
import { leavesOf } from '../../domain/mapping/document';
import { leaksOf } from '../../domain/mapping/leaks';
import type { Mapping, MappedRequest } from '../../domain/mapping/schema';
import { type Variables, variablesOf } from '../../domain/mapping/template';
import { type OutgoingRequest, signedRequest } from '../mapped/signed-request';
import type { KitCheck } from './kit-check';

/** What people with bad intentions write into names and accounts. */
export const HOSTILE: readonly string[] = [
  ...['', '.', '..', '%2e%2e', '../x', '..\\x', '/', '?x=1', '#x', '%', '+', ' ', 'x\r\ny: 1'],
  ...['"', '\\', "'", '\\"', '7,"amount":"999999.00"', '7","amount":"999999.00', '7}', '1e5', '-1'],
  ...['&amount=999999', '7&amount=999999.00', '7|999999|', '7;amount:9', '<amount>9</amount>'],
  ...['\u2028', '\u0000', 'ä€😀', '\u202e9', '{amount}', '{secret}', '$&', 'x'.repeat(255)],
  ...['__proto__', 'null', '[]', '{}'],
];

/** Values that any provider takes; `7` is a number too. */
const ORDINARY = {
  reference: 'W20260102ABCDEFGHJKMN-1-0-kit',
  amount: '10',
  currency: 'THB',
  bank_code: '7',
  bank_branch: '7',
  beneficiary_name: '7',
  beneficiary_account: '7',
  expire_at: '7',
  contact_mobile: '7',
  contact_email: '7',
  account_bank_code: '7',
  account_no: '7',
  account_remark: '7',
  since: '7',
  page: '1',
  offset: '0',
  limit: '20',
  nonce: '7',
  timestamp: '7',
};
/** Ours alone: nobody writes anything into them. */
const OURS: ReadonlySet<string> = new Set(['amount', 'nonce', 'timestamp', 'expire_at']);

/** All values of a request by their place, as its provider reads them. */
function valuesOf({ url, headers, body }: OutgoingRequest, encoding: MappedRequest['encoding']): [string, string][] {
  const { origin, pathname, searchParams } = new URL(url);
  const segments = pathname.split('/').map((one, i) => [`path ${i}`, one]);
  const inBody =
    encoding === 'json'
      ? leavesOf(body).map(({ at, type, text }) => [at, `${type} ${text}`])
      : encoding === 'form'
        ? [...new URLSearchParams(body)].map(([name, value]) => [`/${name}`, value])
        : [];
  return [
    ['origin', origin],
    ...segments,
    ...[...searchParams].map(([name, value]) => [`?${name}`, value]),
    ...Object.entries(headers).map(([name, value]) => [`header ${name}`, value]),
    ...inBody,
  ] as [string, string][];
}

/** What differs between a request with an ordinary value and one with another; null: its own place alone. */
function differs(
  before: readonly [string, string][],
  after: readonly [string, string][],
  varying: (place: string) => boolean,
): string | null {
  if (before.length !== after.length) return 'another number of values';
  const seen = new Map(after);
  if (seen.size !== after.length) return 'a value twice';
  for (const [place, value] of before) {
    if (!seen.has(place)) return `no ${place}`;
    if (!varying(place) && seen.get(place) !== value) return `another ${place}`;
  }
  return null;
}

/** Sends hostile text through every variable of a request; it must change its own place alone, or stop the request. */
class HostileTexts {
  readonly checks: KitCheck[] = [];
  private readonly mapping: Mapping;
  private readonly set: Variables;

  constructor(mapping: Mapping, environment: 'sandbox' | 'production') {
    // Any key will do, and a private key would be slow.
    this.mapping = { ...mapping, signature: { ...mapping.signature, algorithm: 'HMAC_SHA256' } };
    this.set = Object.fromEntries(
      Object.entries(mapping.settings[environment].values).map(([name, value]) => [`set.${name}`, value]),
    );
  }

  private build(request: MappedRequest, order: Variables) {
    const secrets = { sign: 'kit', ...this.tokens(request) };
    const { mapping } = this;
    return signedRequest(
      { mapping, baseUrl: 'https://provider.invalid', keyId: '7', secrets, values: this.set },
      request,
      order,
      new Date(0),
    );
  }

  /** A text for each secret that a request names. */
  private tokens({ fields, headers = [] }: MappedRequest): Record<string, string> {
    const names = [...fields, ...headers].flatMap(({ value }) => variablesOf(value));
    return Object.fromEntries(names.flatMap((name) => (name.startsWith('secret.') ? [[name.slice(7), 'kit']] : [])));
  }

  async try(operation: string, request: MappedRequest): Promise<void> {
    const ordinary = this.build(request, ORDINARY);
    const built = 'problem' in ordinary ? ordinary.problem : null;
    this.checks.push({
      name: `request of ${operation}`,
      passed: built === null,
      detail: built ?? '',
    });
    if ('problem' in ordinary) return;
    const before = valuesOf(ordinary, request.encoding);
    const { path, fields, headers = [] } = request;
    const templates = [path, ...[...fields, ...headers].map(({ value }) => value)];
    for (const name of new Set(templates.flatMap(variablesOf))) {
      if (OURS.has(name) || !Object.hasOwn(ORDINARY, name)) continue;
      const varying = this.placesOf(name, request);
      const wrong = HOSTILE.map((text) => {
        const after = this.build(request, { ...ORDINARY, [name]: text });
        if ('problem' in after) return null;
        const what = differs(before, valuesOf(after, request.encoding), varying);
        return what === null ? null : `${JSON.stringify(text.slice(0, 40))}: ${what}`;
      }).find((one) => one !== null);
      this.checks.push({
        name: `hostile {${name}} in ${operation}`,
        passed: wrong === undefined,
        detail: wrong ?? '',
      });
      // A large mapping keeps nobody else waiting.
      await setImmediate();
    }
  }

  /** Whether a place varies by itself, or by a variable. */
  private placesOf(name: string, request: MappedRequest): (place: string) => boolean {
    const { put } = this.mapping.signature;
    const varies = (template: string): boolean => variablesOf(template).some((one) => one === name || one === 'nonce');
    const places = new Set([
      `header ${put.name.toLowerCase()}`,
      ...[`/${put.name}`, `?${put.name}`],
      ...(request.headers ?? []).flatMap((one) => (varies(one.value) ? [`header ${one.name.toLowerCase()}`] : [])),
      ...request.fields.flatMap(({ to, value }) =>
        varies(value) ? [to, `?${to.slice(1)}`, ...this.below(to, value)] : [],
      ),
      ...(request.path.split('?')[0] ?? '').split('/').flatMap((one, i) => (varies(one) ? [`path ${i}`] : [])),
      ...[...new URLSearchParams(request.path.split('?')[1] ?? '')].flatMap(([key, value]) =>
        varies(value) ? [`?${key}`] : [],
      ),
    ]);
    return (place) => places.has(place);
  }

  /** The places inside of a value of JSON. */
  private below(to: string, value: string): string[] {
    return value.startsWith('[') ? leavesOf(value, to).map(({ at }) => at) : [];
  }
}

/** Tries a mapping with hostile text in each variable: what is asked must stay the same. Pure: nothing is sent. */
export async function tryHostileValues(
  mapping: Mapping,
  environment: 'sandbox' | 'production',
): Promise<readonly KitCheck[]> {
  const leaks = leaksOf(mapping);
  const texts = new HostileTexts(mapping, environment);
  for (const [operation, request] of Object.entries(mapping.operations)) await texts.try(operation, request);
  return [
    {
      name: 'text of others changes no request',
      passed: leaks.length === 0,
      detail: leaks.map(({ path, problem }) => `${path} ${problem}`).join('; '),
    },
    ...texts.checks,
  ];
}
