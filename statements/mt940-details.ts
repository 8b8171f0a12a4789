import { LIMITS } from '../domain/limits';
import type { StatementLine } from '../domain/statement';
import { fieldOf } from './text';

type Details = Pick<StatementLine, 'memo' | 'partyName' | 'partyAccount'>;

/** Codes between slashes, which end the text of the one before. */
const CODES = [
  ...['ADDR', 'BENM', 'BIC', 'CHGS', 'CNTP', 'COAM', 'CODE', 'CSID', 'EREF', 'EXCH', 'IBAN', 'ISDT'],
  ...['KREF', 'MARF', 'NAME', 'ORDP', 'PREF', 'PURP', 'REMI', 'RTRN', 'SVCL', 'TRCD', 'TRTP'],
  ...['ULTB', 'ULTC', 'ULTD', 'CDTRREF', 'CDTRREFTP'],
].join('|');

/** A text within slashes, without the form of remittance that some banks name before it. */
const bare = (text: string): string =>
  text.replace(/^(?:USTD\/+|STRD\/(?:[A-Z]{2,4}\/)?)/, '').replace(/^\/+|(?<!\/)\/+$/g, '');

/** Subfields of two digits behind a sign, such as `?20` to `?63`. */
function bySigns(text: string, sign: string): Details {
  const parts = text
    .split(new RegExp(`[${sign}](?=\\d{2})`))
    .slice(1)
    .map((part) => ({ code: Number(part.slice(0, 2)), said: part.slice(2) }));
  const of = (from: number, to: number): string =>
    parts
      .filter(({ code }) => code >= from && code <= to)
      .map(({ said }) => said)
      .join('');
  // The payer's text stands before: what it may have of the same form is not the bank's.
  const last = (code: number): string => parts.filter((part) => part.code === code).at(-1)?.said ?? '';
  return {
    memo: fieldOf(`${of(20, 29)}${of(60, 63)}`, LIMITS.bankMemo) ?? '',
    partyName: fieldOf(`${last(32)}${last(33)}`, LIMITS.accountHolder),
    partyAccount: fieldOf(last(31), LIMITS.accountNo),
  };
}

/** Subfields behind codes between slashes, such as `/REMI/`. What the bank says stands before the payer's text. */
function bySlashes(text: string): Details {
  const [before = '', ...rest] = text.split('/REMI/');
  const [remittance = ''] = rest.join('/REMI/').split(new RegExp(`/(?:${CODES})/`));
  const said = (code: string): string | undefined => new RegExp(`/${code}/(.*?)(?:/(?:${CODES})/|$)`).exec(before)?.[1];
  const [account, , name] = said('CNTP')?.split('/') ?? [];
  const trimmed = (value: string | undefined): string | undefined => value && bare(value);
  return {
    memo: fieldOf(bare(remittance), LIMITS.bankMemo) ?? '',
    partyName: fieldOf(trimmed(said('NAME') ?? name), LIMITS.accountHolder),
    partyAccount: fieldOf(trimmed(said('IBAN') ?? said('ACCT') ?? account), LIMITS.accountNo),
  };
}

/** The content of field 86: structured by signs and digits, by codes between slashes, or plain. */
export function detailsOf(text: string): Details {
  const joined = text.replaceAll('\n', '');
  // A code of the business before it, at most: a question mark in a plain text is none.
  const [, sign] = /^\d{0,3}\s*([?~>])\d{2}/.exec(joined) ?? [];
  if (sign !== undefined) return bySigns(joined, sign);
  if (joined.includes('/REMI/')) return bySlashes(joined);
  const { partyName, partyAccount } = joined.startsWith('/')
    ? bySlashes(joined)
    : { partyName: null, partyAccount: null };
  return {
    memo: fieldOf(text.replaceAll('\n', ' '), LIMITS.bankMemo) ?? '',
    partyName,
    partyAccount,
  };
}
