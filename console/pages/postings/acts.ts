import type { Permission } from '../../generated/operations';

/** The fields of a form. */
export type Ask = 'debit' | 'from' | 'to' | 'book' | 'channel' | 'currency' | 'amount';

interface Act {
  readonly words: string;
  readonly title: string;
  /** The effect, in one sentence. */
  readonly says: string;
  readonly asks: readonly Ask[];
  /** Fields that may stay empty. */
  readonly may: readonly Ask[];
  /** Whether it always takes two people, with evidence. */
  readonly two: boolean;
  readonly power: readonly Permission[];
  readonly usual: readonly string[];
}

/** The postings of operators to the platform's own books. Waiting credits are handled in Unmatched money. */
export const ACTS = {
  charge: {
    words: 'Bank charge',
    title: 'Post a bank charge',
    says: 'What a bank took from an account for itself becomes our cost.',
    asks: ['debit', 'amount'],
    may: ['amount'],
    two: false,
    power: ['RECONCILE', 'TREASURER'],
    usual: ['charge of the month', 'charge of a payout'],
  },
  profit: {
    words: 'Profit taken out',
    title: 'Post profit that was taken out',
    says: 'A debit withdrew profit; never more than was earned.',
    asks: ['debit', 'amount'],
    may: ['amount'],
    two: true,
    power: ['TREASURER'],
    usual: ['fees of the month'],
  },
  move: {
    words: 'Own transfer',
    title: 'Post a transfer between our own accounts and channels',
    says: 'The outgoing leg, the incoming leg, or both. A missing leg is added later.',
    asks: ['from', 'to', 'currency', 'amount'],
    may: ['from', 'to', 'currency', 'amount'],
    two: false,
    power: ['TREASURER'],
    usual: ['funds the channel', 'the channel settled'],
  },
  open: {
    words: 'Open a book',
    title: 'Open the book of an account or channel',
    says: 'What it held when its book began. Once for each book and currency.',
    asks: ['book', 'currency', 'amount'],
    may: [],
    two: true,
    power: ['TREASURER'],
    usual: ['balance of the statement'],
  },
  correct: {
    words: 'Correct a book',
    title: 'Correct a book to its statement',
    says: 'How much more it holds than the book shows; negative: how much less.',
    asks: ['book', 'currency', 'amount'],
    may: [],
    two: true,
    power: ['TREASURER'],
    usual: ['the statement differs, and nothing explains it'],
  },
  channelCharge: {
    words: 'Channel charge',
    title: 'Post what a channel charged',
    says: 'Charges other than those of its orders, such as a monthly fee.',
    asks: ['channel', 'currency', 'amount'],
    may: [],
    two: true,
    power: ['TREASURER'],
    usual: ['fee of the month'],
  },
  settle: {
    words: 'Claim settled',
    title: 'A channel gave back what it owed',
    says: 'For money that is at the channel now. If it came by bank transfer, use Unmatched money.',
    asks: ['channel', 'currency', 'amount'],
    may: [],
    two: true,
    power: ['TREASURER'],
    usual: ['the channel gave it back'],
  },
  writeOff: {
    words: 'Claim given up',
    title: 'Give up what a channel owes',
    says: 'It becomes our loss.',
    asks: ['channel', 'currency', 'amount'],
    may: [],
    two: true,
    power: ['TREASURER'],
    usual: ['the channel refuses permanently'],
  },
} as const satisfies Readonly<Record<string, Act>>;

/** One of ACTS. */
export type ActName = keyof typeof ACTS;

/** One of ACTS, with its fields as plain lists. */
export const actOf = (name: ActName): Act => ACTS[name];
