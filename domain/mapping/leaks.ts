import type { Mapping, MappedRequest } from './schema';
import { literalsOf, variablesOf } from './template';

/** What is wrong with a mapping, and where. */
export interface MappingProblem {
  /** As `/operations/sendPayout/path`. */
  readonly path: string;
  readonly problem: string;
}

/** Variables that hold what merchants and payers wrote, in any characters. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  ...['bank_branch', 'beneficiary_name', 'beneficiary_account'],
  ...['contact_mobile', 'contact_email'],
]);

/** The variables of a template that hold text of others. */
export const othersIn = (template: string): string[] => variablesOf(template).filter((name) => OF_OTHERS.has(name));

/**
 * Characters that may separate or quote what is joined in one text. Not those of names and accounts: `-`, `.`, `,`, `'`,
 * `/`, brackets.
 */
export const STRUCTURE = /[=&|;:"<>[\]{}#^~*$\t\r\n]/g;

/** The parts of a path's template that are read one by one: its segments and the values of its query, decoded. */
export function partsOfPath(template: string): string[] {
  const [plain = '', ...query] = template.split('?');
  const segments = plain.split('/').map((one) => {
    try {
      return decodeURIComponent(one);
    } catch {
      return one;
    }
  });
  return [...segments, ...new URLSearchParams(query.join('?')).values()];
}

/** The parts of a template between characters of STRUCTURE: where text of others has one, nothing is sent. */
function partsOf(template: string): string[] {
  const names = variablesOf(template);
  const parts = [''];
  literalsOf(template).forEach((literal, i) => {
    const [first = '', ...more] = literal.split(STRUCTURE);
    parts.push(`${parts.pop() ?? ''}${first}`, ...more);
    if (i < names.length) parts.push(`${parts.pop() ?? ''}{${names[i] ?? ''}}`);
  });
  return parts;
}

/** What we ask for beside text of others, with no word that tells them apart: a program may take one for the other. */
const joinedWithout = (part: string): string | undefined =>
  othersIn(part).length > 0 && !/[\p{L}\p{N}]/u.test(literalsOf(part).join(''))
    ? variablesOf(part).find((name) => name === 'reference' || name === 'currency')
    : undefined;

/** A number as JSON writes one, without an exponent: no amount has one. */
export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

const named = (names: readonly string[]): string => names.map((one) => `{${one}}`).join(', ');

/** Why a value of a request could say more than it is declared to, whatever is checked later; null if it cannot. */
function leakOf(value: string, as: 'text' | 'number' | 'json'): string | null {
  const others = othersIn(value);
  if (others.length > 0 && as !== 'text') return `must not be "as": "${as}": ${named(others)} is text of others`;
  const amount = variablesOf(value).find((name) => name === 'amount');
  const ours =
    amount ??
    partsOf(value)
      .map(joinedWithout)
      .find((name) => name !== undefined);
  if (ours !== undefined && others.length > 0)
    return `must not join {${ours}} with ${named(others)}, which is text of others`;
  if (amount === undefined) return null;
  return as === 'number' && value !== '{amount}' ? 'must be {amount} alone: it is a number' : null;
}

/** All requests of a mapping, each with its path. */
const requestsOf = ({ operations }: Mapping): [string, MappedRequest][] =>
  Object.entries(operations).map(([name, request]) => [`/operations/${name}`, request]);

/**
 * Values by which text of others could change a request that we sign. A channel with such a mapping sends nothing.
 */
export const leaksOf = (mapping: Mapping): MappingProblem[] =>
  requestsOf(mapping).flatMap(([path, { path: address, fields, headers = [] }]) =>
    [
      ...partsOfPath(address).map((part) => ['path', leakOf(part, 'text')] as const),
      ...fields.map(({ value, as = 'text' }, i) => [`fields/${i}/value`, leakOf(value, as)] as const),
      ...headers.map(({ value }, i) => [`headers/${i}/value`, leakOf(value, 'text')] as const),
    ].flatMap(([at, problem]) => (problem === null ? [] : [{ path: `${path}/${at}`, problem }])),
  );

/** What a form of a request must not be: it could never be sent as it is declared. */
export function shapeProblems(mapping: Mapping): MappingProblem[] {
  const problems: MappingProblem[] = [];
  const { in: place, name: signature } = mapping.signature.put;
  for (const [path, request] of requestsOf(mapping)) {
    const say = (at: string, problem: string): void => {
      problems.push({ path: `${path}/${at}`, problem });
    };
    const { fields, headers = [], unsigned } = request;
    fields.forEach(({ to, value, as }, i) => {
      if (fields.some((other) => other.to.startsWith(`${to}/`))) say(`fields/${i}/to`, 'holds another field');
      if (place === 'field' && unsigned !== true && `${to}/`.startsWith(`/${signature}/`))
        say(`fields/${i}/to`, 'is where the signature is put');
      if (as === 'number' && variablesOf(value).length === 0 && !JSON_NUMBER.test(value))
        say(`fields/${i}/value`, 'must be a number');
    });
    headers.forEach(({ name }, i) => {
      const same = (other: { readonly name: string }): boolean => other.name.toLowerCase() === name.toLowerCase();
      if (headers.findIndex(same) < i) say(`headers/${i}/name`, 'occurs twice');
      if (place === 'header' && unsigned !== true && same({ name: signature }))
        say(`headers/${i}/name`, 'is where the signature is put');
    });
    if (!isWrittenAsSent(request.path))
      say('path', 'must be as it is sent: no . or .. between slashes, no #, all else encoded');
    if (request.encoding === 'query' && request.path.includes('?'))
      say('path', 'must not have a query: the fields are the query');
  }
  return problems;
}

/** Whether a URL has the path of a template unchanged. */
function isWrittenAsSent(template: string): boolean {
  const filled = literalsOf(template).join('x');
  if (!filled.startsWith('/')) return true;
  const { pathname, hash } = new URL(`https://provider.invalid${filled}`);
  return hash === '' && !filled.includes('#') && pathname === filled.split('?')[0];
}
