import { listAt, textAt } from '../../domain/mapping/document';
import type { Mapping } from '../../domain/mapping/schema';
import { type Variables, variablesOf } from '../../domain/mapping/template';
import type { BookList, ListedPayout } from '../channel';
import { MOST_TEXT } from '../http-answer';
import type { Exchange } from './exchange';
import type { AnswerReader } from './read-answer';

const PAGE = 20;
const MOST_PAGES = 5_000;

type ListOperation = NonNullable<Mapping['operations']['listPayouts']>;

/** Whether a request names a variable. */
const names = ({ path, fields, headers = [] }: ListOperation, variable: string): boolean =>
  [path, ...[...fields, ...headers].map(({ value }) => value)].flatMap(variablesOf).includes(variable);

/**
 * Reads a provider's list of payouts page by page, up to an empty one, because the provider chooses the size of its
 * pages. A malformed payout makes the whole list unknown, as does a list that is cut: a missing payout would be paid
 * again.
 */
export async function listPayouts(
  { currency }: Mapping,
  operation: ListOperation,
  reader: AnswerReader,
  since: string,
  ask: (page: Variables) => Promise<Exchange>,
): Promise<BookList> {
  const { answer, money: format } = operation;
  const turns = names(operation, 'page') || names(operation, 'offset');
  const payouts: ListedPayout[] = [];
  let first: string | null = null;
  for (let page = 1; page <= MOST_PAGES; page++) {
    const offset = String(payouts.length);
    const came = await ask({ since, page: String(page), offset, limit: String(PAGE) });
    if (came.kind !== 'answered') return { kind: 'UNKNOWN', reason: came.reason };
    const items = listAt(came.answered.values, answer.items);
    if (!reader.all(answer.found, came.answered) || items === null)
      return { kind: 'UNKNOWN', reason: 'the answer is not a list of payouts' };
    if (turns && items.length === 0) return { kind: 'LISTED', payouts };
    const [head] = items;
    const begins = head === undefined ? null : textAt(head, answer.reference);
    if (page > 1 && begins === first) return { kind: 'UNKNOWN', reason: 'the list repeats the same page' };
    first = begins;
    for (const item of items) {
      const reference = textAt(item, answer.reference);
      const amount = reader.amount(textAt(item, answer.amount), format);
      const currencyCode = currency ?? textAt(item, answer.currency);
      const status = textAt(item, answer.status)?.slice(0, MOST_TEXT);
      if (reference === null || amount === null || currencyCode == null || status === undefined)
        return { kind: 'UNKNOWN', reason: 'a payout of the list is malformed' };
      payouts.push({ reference, amount, currencyCode, status });
    }
    if (turns) continue;
    return names(operation, 'limit') && items.length >= PAGE
      ? { kind: 'UNKNOWN', reason: 'the list is cut, and has no further page' }
      : { kind: 'LISTED', payouts };
  }
  return { kind: 'UNKNOWN', reason: `the list has more than ${MOST_PAGES} pages` };
}
