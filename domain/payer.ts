/*
 * Who a payer is, as far as texts tell: names and account numbers as merchants and banks write them. The one place where
 * they are compared.
 */

/** How two texts about a person or an account agree. UNKNOWN: one of them says nothing that could be compared. */
export type Likeness = 'SAME' | 'POSSIBLE' | 'OTHER' | 'UNKNOWN';

/** The last four characters of an account number, however the bank prints it. */
export function last4Of(account: string | null): string | null {
  const characters = account?.replace(/[^A-Za-z0-9]/g, '') ?? '';
  return characters.length < 4 ? null : characters.slice(-4);
}

const plain = (text: string | null): string => (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();

/** The words of a name, whatever their order, case or accents. */
export const nameTokens = (name: string | null): ReadonlySet<string> =>
  new Set(
    plain(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1),
  );

/**
 * Whether all words of the shorter name occur in the longer one: banks leave out middle names. A single word must be
 * the whole name.
 */
export function sameName(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a];
  if (few.size === 0 || (few.size === 1 && many.size > 1)) return false;
  return [...few].every((word) => many.has(word));
}

/** Whether two people's names are the same, as far as banks tell. Never where one is unknown. */
export const namesAgree = (a: string | null, b: string | null): boolean => sameName(nameTokens(a), nameTokens(b));

/** What banks write before and after names. */
const TITLES: ReadonlySet<string> = new Set('MR MRS MS MISS MISTER DR JR SR SIR MADAM KHUN นาย นาง นางสาว'.split(' '));
/** Thai titles have no space behind them. */
const THAI_TITLE = /^(นางสาว|นาย|นาง)(?=\p{L}{2})/u;
/** What stands for letters that a bank does not show. */
const MASKS = /[*•#]+|X{3,}/g;

/** The words of a name without its titles; `*` stands for letters that are not shown. */
function wordsOf(name: string | null): string[] {
  const words = plain(name)
    .replace(MASKS, '*')
    .split(/[^\p{L}\p{N}*]+/u)
    .map((word) => word.replace(THAI_TITLE, ''))
    .filter((word) => word !== '');
  const named = words.filter((word) => !TITLES.has(word));
  return named.length > 0 ? named : words;
}

/** Whether a word with masks may be another one: what is shown of both, from either end, is equal. */
function masksAgree(a: string, b: string): boolean {
  const [headA = '', headB = ''] = [a.split('*')[0], b.split('*')[0]];
  const [tailA = '', tailB = ''] = [a.split('*').at(-1), b.split('*').at(-1)];
  const head = Math.min(headA.length, headB.length);
  const tail = Math.min(tailA.length, tailB.length);
  return (
    headA.slice(0, head) === headB.slice(0, head) &&
    tailA.slice(tailA.length - tail) === tailB.slice(tailB.length - tail)
  );
}

/** Equal, cut off, an initial, or masked. */
const wordsAgree = (a: string, b: string): boolean =>
  a.includes('*') || b.includes('*') ? masksAgree(a, b) : a.startsWith(b) || b.startsWith(a);

/** Whether each word of the shorter name may be another one of the longer: pairs are moved until all fit. */
function mayBeOne(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const takenBy = new Map<number, number>();
  const place = (word: number, tried: Set<number>): boolean =>
    many.some((other, at) => {
      if (tried.has(at) || !wordsAgree(few[word] ?? '', other)) return false;
      tried.add(at);
      const before = takenBy.get(at);
      if (before !== undefined && !place(before, tried)) return false;
      takenBy.set(at, word);
      return true;
    });
  return few.every((_word, at) => place(at, new Set()));
}

const LATIN = /\p{Script=Latin}/u;

/**
 * How two names agree. POSSIBLE: one is cut off or masked, or has initials or more words, and nothing contradicts. Names
 * of which only one is written in Latin letters cannot be compared.
 */
export function compareNames(a: string | null, b: string | null): Likeness {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  if (one.length === 0 || other.length === 0) return 'UNKNOWN';
  if (namesAgree(a, b) || [...one].sort().join(' ') === [...other].sort().join(' ')) return 'SAME';
  if (LATIN.test(one.join('')) !== LATIN.test(other.join(''))) return 'UNKNOWN';
  return mayBeOne(one, other) || one.join('') === other.join('') ? 'POSSIBLE' : 'OTHER';
}

/** A name as lists compare it: its words without titles, in order; null where it tells no whole name. */
export function nameKey(name: string | null): string | null {
  const words = wordsOf(name);
  return words.length === 0 || words.some((word) => word.includes('*')) ? null : [...new Set(words)].sort().join(' ');
}

/** An account number, `?` for each character that is not shown. An x is one only beside digits. */
function charactersOf(account: string | null): string {
  const shown = (account ?? '')
    .normalize('NFKC')
    .replace(/[*•#]/g, '?')
    .replace(/[^A-Za-z0-9?]/g, '')
    .toUpperCase();
  return /^[X0-9?]*$/.test(shown) ? shown.replace(/X/g, '?') : shown;
}

/**
 * An account number as lists and counts compare it, and an index of deposits (db/schema/columns.ts): its letters and
 * digits without leading zeros. Null where it is masked, or too short to be one.
 */
export function accountKey(account: string | null): string | null {
  const characters = charactersOf(account).replace(/^0+/, '');
  return characters.length < 4 || characters.includes('?') ? null : characters;
}

/** Fewer characters that both tell say nothing. */
const LEAST_TOLD = 3;

/** What two numbers show of their ends, if their lengths do not tell which characters correspond. */
function endsAgree(a: string, b: string): Likeness {
  const [headA = '', headB = ''] = [a.split('?')[0], b.split('?')[0]];
  const [tailA = '', tailB = ''] = [a.split('?').at(-1), b.split('?').at(-1)];
  const tail = Math.min(tailA.length, tailB.length);
  // Of a number without masks the begin is known only where the other one has masks behind its own.
  const head = a.includes('?') && b.includes('?') ? Math.min(headA.length, headB.length) : 0;
  if (tail + head < LEAST_TOLD) return 'UNKNOWN';
  return tailA.slice(tailA.length - tail) === tailB.slice(tailB.length - tail) &&
    headA.slice(0, head) === headB.slice(0, head)
    ? 'POSSIBLE'
    : 'OTHER';
}

/** How two account numbers agree, as banks and merchants print them. A number may be its last characters alone. */
export function compareAccounts(a: string | null, b: string | null): Likeness {
  const [one, other] = [charactersOf(a), charactersOf(b)];
  const [keyA, keyB] = [accountKey(a), accountKey(b)];
  if (keyA !== null && keyA === keyB) return 'SAME';
  if (one.length !== other.length) return endsAgree(one, other);
  const shown = Array.from(one, (character, at) => [character, other.charAt(at)] as const).filter(
    ([x, y]) => x !== '?' && y !== '?',
  );
  if (shown.length < LEAST_TOLD) return 'UNKNOWN';
  return shown.every(([x, y]) => x === y) ? 'POSSIBLE' : 'OTHER';
}

/** What a bank or a merchant says of a payer. */
export interface PayerSaid {
  readonly name: string | null;
  readonly account: string | null;
}

const ending = (account: string | null): string => last4Of(account) ?? '…';

/**
 * What of a payer contradicts what was announced, in words; null where nothing does. The same account number in full
 * outweighs a name, which banks write in their own way. What only one side says is no contradiction.
 */
export function payerDifference(reported: PayerSaid, announced: PayerSaid): string | null {
  const account = compareAccounts(reported.account, announced.account);
  if (account === 'SAME') return null;
  const findings = [
    ...(compareNames(reported.name, announced.name) === 'OTHER'
      ? [`the bank names ${reported.name ?? ''}, the merchant said ${announced.name ?? ''}`]
      : []),
    ...(account === 'OTHER'
      ? [`it came from an account ending ${ending(reported.account)}, the merchant said ${ending(announced.account)}`]
      : []),
  ];
  return findings.length === 0 ? null : findings.join('; ');
}
