import { Value } from 'typebox/value';
import { leaksOf, type MappingProblem, shapeProblems } from './leaks';
import { type MappedRequest, Mapping, type SignatureRule } from './schema';
import { variablesOf } from './template';
import { problemOfTime } from './times';

const GENERAL = ['key_id', 'timestamp', 'nonce'];
const ORDER = ['reference', 'amount', 'currency'];
const DEPOSIT = [
  ...['expire_at', 'contact_mobile', 'contact_email'],
  ...['account_bank_code', 'account_no', 'account_remark'],
];
const PAYOUT = ['bank_code', 'bank_branch', 'beneficiary_name', 'beneficiary_account'];
const OF_OPERATION: Readonly<Record<keyof Mapping['operations'], readonly string[]>> = {
  openDeposit: [...ORDER, ...DEPOSIT],
  queryDeposit: ORDER,
  sendPayout: [...ORDER, ...PAYOUT],
  queryPayout: ORDER,
  balance: ['currency'],
  health: [],
  listPayouts: ['since', 'page', 'offset', 'limit'],
};
const SIGNED = [
  ...['secret', 'fields', 'method', 'method_lower', 'path', 'url', 'query', 'body'],
  ...['body_base64', 'body_sha256', 'body_sha256_base64'],
];

class Checker {
  readonly problems: MappingProblem[] = [];

  constructor(private readonly mapping: Mapping) {}

  say(path: string, problem: string): void {
    this.problems.push({ path, problem });
  }

  /** Each variable must be one that the place has. */
  template(path: string, template: string, known: readonly string[]): void {
    for (const name of variablesOf(template)) {
      const [kind, setting] = name.split('.');
      if (kind === 'set' && setting !== undefined) {
        if (!Object.hasOwn(this.mapping.settings.sandbox.values, setting))
          this.say(path, `{${name}} is not in settings`);
      } else if (kind === 'header' && setting !== undefined && known.includes('header')) {
        if (setting !== setting.toLowerCase()) this.say(path, `{${name}} must be in lower case`);
      } else if (!known.includes(kind === 'secret' ? 'secret' : name))
        this.say(path, `{${name}} is not known here: ${known.map((one) => `{${one}}`).join(' ')}`);
    }
    if (/[{}]/.test(template.replace(/\{[a-z][a-z0-9_]*(\.[A-Za-z0-9_-]+)?\}/g, '')))
      this.say(path, 'has a brace outside of a variable');
  }

  settings(): void {
    const { sandbox, production } = this.mapping.settings;
    const [left, right] = [sandbox, production].map(({ values }) => Object.keys(values).sort());
    if (JSON.stringify(left) !== JSON.stringify(right))
      this.say('/settings', 'sandbox and production must name the same values');
  }

  signature(path: string, rule: SignatureRule, known: readonly string[]): void {
    const has = [...known, ...SIGNED];
    this.template(`${path}/text`, rule.text, has);
    const usesFields = variablesOf(rule.text).includes('fields');
    if (usesFields !== (rule.fields !== undefined))
      this.say(
        `${path}/fields`,
        usesFields ? 'is required: the text names {fields}' : 'is used only where the text names {fields}',
      );
    if (Array.isArray(rule.fields?.of))
      (rule.fields.of as readonly { value: string }[]).forEach(({ value }, i) => {
        this.template(
          `${path}/fields/of/${i}/value`,
          value,
          has.filter((one) => one !== 'fields'),
        );
      });
    const keyed = rule.algorithm === 'MD5';
    if (keyed && !variablesOf(rule.text).includes('secret'))
      this.say(`${path}/text`, 'MD5 has no key of its own: the text must name {secret}');
    if (!keyed && variablesOf(rule.text).includes('secret') && !rule.algorithm.startsWith('HMAC'))
      this.say(`${path}/text`, 'must not name {secret}, which is a private key');
  }

  request(path: string, request: MappedRequest, known: readonly string[]): void {
    const has = [...GENERAL, ...known];
    this.template(`${path}/path`, request.path, has);
    if (!request.path.startsWith('/')) this.say(`${path}/path`, 'must begin with /');
    if (request.method === 'GET' && (request.encoding === 'json' || request.encoding === 'form'))
      this.say(`${path}/encoding`, 'a GET has no body: query or none');
    (request.headers ?? []).forEach(({ value }, i) => {
      this.template(`${path}/headers/${i}/value`, value, [...has, 'secret', 'basic']);
    });
    const flat = request.encoding === 'query' || request.encoding === 'form';
    request.fields.forEach(({ to, value, as }, i) => {
      this.template(`${path}/fields/${i}/value`, value, [...has, 'secret']);
      if (flat && to.lastIndexOf('/') > 0)
        this.say(`${path}/fields/${i}/to`, `a ${request.encoding} has no nested values`);
      if (request.fields.findIndex((other) => other.to === to) < i) this.say(`${path}/fields/${i}/to`, 'occurs twice');
      if (as === 'json' && !isJson(value)) this.say(`${path}/fields/${i}/value`, 'must be JSON');
    });
    if (request.encoding === 'none' && request.fields.length > 0)
      this.say(`${path}/fields`, 'must be empty: the encoding is none');
    if (this.mapping.signature.put.in === 'field' && request.encoding === 'none' && request.unsigned !== true)
      this.say(`${path}/encoding`, 'must not be none: the signature is a field');
  }

  operations(): void {
    const { operations, currency, cost } = this.mapping;
    for (const [one, other] of [
      ['openDeposit', 'queryDeposit'],
      ['sendPayout', 'queryPayout'],
    ] as const)
      if ((operations[one] === undefined) !== (operations[other] === undefined))
        this.say('/operations', `${one} and ${other} need each other`);
    if (!operations.openDeposit && !operations.sendPayout)
      this.say('/operations', 'must have openDeposit or sendPayout');
    for (const [name, known] of Object.entries(OF_OPERATION)) {
      const operation = operations[name as keyof Mapping['operations']];
      if (operation) this.request(`/operations/${name}`, operation, known);
    }
    for (const name of ['queryDeposit', 'queryPayout'] as const) {
      const answer = operations[name]?.answer;
      if (!answer) continue;
      const path = `/operations/${name}/answer`;
      // A query is the proof: it must name the order, what was paid, and in which currency.
      for (const field of ['reference', 'amount'] as const)
        if (answer[field] === undefined) this.say(`${path}/${field}`, 'is required');
      if (answer.currency === undefined && currency === undefined)
        this.say(`${path}/currency`, 'is required, or the only currency of the mapping');
      if (!Object.values(answer.statuses).includes('completed'))
        this.say(`${path}/statuses`, 'must have a completed one');
      if (answer.cost !== undefined && cost === undefined) this.say('/cost', 'is required: a query reads the cost');
    }
    const listed = operations.listPayouts?.answer;
    if (listed && listed.currency === undefined && currency === undefined)
      this.say('/operations/listPayouts/answer/currency', 'is required, or the only currency of the mapping');
  }

  webhook(): void {
    const { webhook } = this.mapping;
    if (!webhook) return;
    const path = '/webhook/signature';
    this.signature(path, webhook.signature, ['key_id', 'header']);
    const { algorithm, verifyKey } = webhook.signature;
    const isPublic = algorithm.startsWith('RSA') || algorithm === 'ED25519';
    if (isPublic !== (verifyKey !== undefined))
      this.say(`${path}/verifyKey`, isPublic ? "is required: the provider's public key" : 'is for RSA and Ed25519');
    if (verifyKey !== undefined) this.template(`${path}/verifyKey`, verifyKey, []);
  }

  all(): void {
    const problem = problemOfTime(this.mapping.time);
    if (problem !== null) this.say('/time', problem);
    this.settings();
    this.signature('/signature', this.mapping.signature, [...GENERAL, ...ORDER]);
    this.operations();
    this.webhook();
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Most problems that are shown at once. */
const MOST_PROBLEMS = 20;

type Read = Mapping | { readonly problems: readonly MappingProblem[] };

/**
 * Reads a mapping that is in the database already, by the rules that it was saved by: what newer ones forbid is asked of
 * `leaksOf`, so that its payouts under way can still be queried.
 * @returns the mapping, or everything that is wrong with it, each by its path
 */
export function readStoredMapping(value: unknown): Read {
  if (!Value.Check(Mapping, value)) {
    const problems = Value.Errors(Mapping, value).map(({ instancePath, message, params }) => ({
      path: instancePath || '/',
      problem: `${message}${namesOf(params)}`,
    }));
    return { problems: problems.slice(0, MOST_PROBLEMS) };
  }
  const mapping = value as Mapping;
  const checker = new Checker(mapping);
  checker.all();
  return checker.problems.length > 0 ? { problems: checker.problems.slice(0, MOST_PROBLEMS) } : mapping;
}

/** Reads a new mapping. @returns the mapping, or everything that is wrong with it, each by its path */
export function readMapping(value: unknown): Read {
  const read = readStoredMapping(value);
  if ('problems' in read) return read;
  const problems = [...leaksOf(read), ...shapeProblems(read)];
  return problems.length > 0 ? { problems: problems.slice(0, MOST_PROBLEMS) } : read;
}

/** The values or properties that an error is about. */
function namesOf(params: object): string {
  const names = Object.values(params).filter(Array.isArray).flat().map(String);
  return names.length > 0 ? `: ${names.join(', ')}` : '';
}
