/** The ways to use waiting money, besides a match. */
export const ENDINGS = {
  late: { words: 'Late credit', key: 'l', title: 'Credit it late' },
  combine: { words: 'Combine', key: 'c', title: 'Combine several credits for one order' },
  split: { words: 'Split', key: 's', title: 'Split it over orders' },
  back: { words: 'Return', key: 'r', title: 'Send it back to its payer' },
  topUp: { words: 'Top-up', key: 'u', title: "Credit it as a merchant's top-up" },
  payout: { words: 'Returned payout', key: 'p', title: 'It is a payout that came back' },
  interest: { words: 'Interest', key: 'i', title: "It is the bank's interest" },
  own: { words: 'Own transfer', key: 'm', title: 'It is our own money from elsewhere' },
  claim: { words: 'Channel’s claim', key: 'h', title: 'A channel gave back what it owed' },
  twice: { words: 'Reported twice', key: 'd', title: 'It was reported before' },
  off: { words: 'Write off', key: 'w', title: 'Write it off' },
} as const;
/** One of ENDINGS. */
export type Ending = keyof typeof ENDINGS;

/** Usual reasons of each. */
export const USUAL: Readonly<Record<Ending, readonly string[]>> = {
  late: ['the payer paid after the order ended', 'the payer paid twice'],
  combine: ['the payer paid in parts'],
  split: ['the payer paid several orders at once', 'the payer paid too much'],
  back: ['the payer asked for it', 'paid by a third party', 'not ours'],
  topUp: ['agreed with the merchant'],
  payout: ['the bank gave the payout back'],
  interest: ['interest of the period'],
  own: ['moved between our accounts', 'settled by the channel'],
  claim: ['the channel gave it back'],
  twice: ['the statement has it once'],
  off: ['a test of the bank', 'nobody claimed it'],
};
