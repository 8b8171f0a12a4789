import { listAt, textAt } from '../../domain/mapping/document';
import type { Mapping } from '../../domain/mapping/schema';
import type { Variables } from '../../domain/mapping/template';
import type { BookList, ListedPayout } from '../channel';
import { MOST_TEXT } from '../http-answer';
import type { Exchange } from './exchange';
import type { AnswerReader } from './read-answer';

const PAGE = 20;
const MOST_PAGES = 5_000;

/** Reads a provider's list of payouts page by page. What is not in its form makes the whole list unknown. */
export async function listPayouts(
  { currency }: Mapping,
  { answer, money: format }: NonNullable<Mapping['operations']['listPayouts']>,
  reader: AnswerReader,
  since: string,
  ask: (page: Variables) => Promise<Exchange>,
): Promise<BookList> {
  const payouts: ListedPayout[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const offset = String((page - 1) * PAGE);
    const came = await ask({ since, page: String(page), offset, limit: String(PAGE) });
    if (came.kind !== 'answered') return { kind: 'UNKNOWN', reason: came.reason };
    const items = listAt(came.answered.values, answer.items);
    if (!reader.all(answer.found, came.answered) || items === null)
      return { kind: 'UNKNOWN', reason: 'the answer is no list of payouts' };
    for (const item of items) {
      const reference = textAt(item, answer.reference);
      const amount = reader.amount(textAt(item, answer.amount), format);
      const currencyCode = currency ?? textAt(item, answer.currency);
      const status = textAt(item, answer.status)?.slice(0, MOST_TEXT);
      if (reference === null || amount === null || currencyCode == null || status === undefined)
        return { kind: 'UNKNOWN', reason: 'a payout of the list is not in its form' };
      payouts.push({ reference, amount, currencyCode, status });
    }
    if (items.length < PAGE) return { kind: 'LISTED', payouts };
  }
  return { kind: 'UNKNOWN', reason: `the list has more than ${MOST_PAGES} pages` };
}
