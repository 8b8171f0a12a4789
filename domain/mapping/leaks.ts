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
export const othersIn = (template: string): string[] =>
  variablesOf(template).filter((name) => OF_OTHERS.has(name));

/** A number as JSON writes one, without an exponent: no amount has one. */
export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

const named = (names: readonly string[]): string => names.map((one) => `{${one}}`).join(', ');

/** Why a value of a request could say more than it is declared to, whatever is checked later; null if it cannot. */
function leakOf(value: string, as: 'text' | 'number' | 'json'): string | null {
  const others = othersIn(value);
  if (others.length > 0 && as !== 'text')
    return `must not be "as": "${as}": ${named(others)} is text of others`;
  const names = variablesOf(value);
  if (!names.includes('amount')) return null;
  if (others.length > 0)
    return `must not join {amount} with ${named(others)}, which is text of others`;
  return as === 'number' && value !== '{amount}' ? 'must be {amount} alone: it is a number' : null;
}

/** All requests of a mapping, each with its path. */
const requestsOf = ({ operations }: Mapping): [string, MappedRequest][] =>
  Object.entries(operations).map(([name, request]) => [`/operations/${name}`, request]);

/**
 * Values by which text of others could change a request that we sign. A channel with such a mapping sends nothing.
 */
export const leaksOf = (mapping: Mapping): MappingProblem[] =>
  requestsOf(mapping).flatMap(([path, { fields, headers = [] }]) =>
    [
      ...fields.map(({ value, as = 'text' }, i) => [`fields/${i}`, leakOf(value, as)] as const),
      ...headers.map(({ value }, i) => [`headers/${i}`, leakOf(value, 'text')] as const),
    ].flatMap(([at, problem]) =>
      problem === null ? [] : [{ path: `${path}/${at}/value`, problem }],
    ),
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
      if (fields.some((other) => other.to.startsWith(`${to}/`)))
        say(`fields/${i}/to`, 'holds another field');
      if (place === 'field' && unsigned !== true && `${to}/`.startsWith(`/${signature}/`))
        say(`fields/${i}/to`, 'is where the signature is put');
      if (as === 'number' && variablesOf(value).length === 0 && !JSON_NUMBER.test(value))
        say(`fields/${i}/value`, 'must be a number');
    });
    headers.forEach(({ name }, i) => {
      const same = (other: { readonly name: string }): boolean =>
        other.name.toLowerCase() === name.toLowerCase();
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
