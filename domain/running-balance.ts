import { money, type Money } from './money';

/** The newest balance that a bank reported for an account, and its bank time. */
export interface ReportedBalance {
  readonly balance: Money;
  readonly at: Date;
}

/**
 * Movements that follow one another, but not from what is known of the account. As its row keeps them: balances without
 * needless zeros, times in ISO 8601.
 */
export interface LooseChain {
  readonly from: string;
  readonly to: string;
  /** The newest bank time. */
  readonly at: string;
  /** When the last one came. */
  readonly since: string;
  /** How often it went on since the account's own chain did. */
  readonly steps: number;
  /** The credits in it, which wait. */
  readonly credits: readonly string[];
  /** The account was paused because of it. A person who opens the account makes it the account's chain. */
  readonly pauses?: true;
}

/** What is known of an account's balances. */
export interface BalanceChain {
  /** The end of the account's own chain; null before its first movement. `shownBalance` is what people see. */
  readonly newest: ReportedBalance | null;
  /** Where the chain began, and until when a movement before it may still come. */
  readonly start: { readonly balance: string; readonly until: string } | null;
  /** The one that went on last is the last. */
  readonly loose: readonly LooseChain[];
  /** Credits that waited and now follow: they are to be judged again. */
  readonly due: readonly string[];
  /** Credits that follow, but came while the account was paused: due once it is open. */
  readonly held: readonly string[];
}

/** A movement with the balance after it; from the account's side a credit adds, a debit takes. */
export interface BalancedMovement {
  readonly id: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amount: Money;
  /** Null where the bank reports none. */
  readonly balanceAfter: Money | null;
  readonly bankTime: Date;
  readonly receivedAt: Date;
}

/** What a movement says about the account's running balance. */
export interface RunningBalanceVerdict {
  /** The chain from now on; null: as it was. */
  readonly chain: BalanceChain | null;
  /** Its balance contradicts the chain: until others close the gap, a person decides. */
  readonly outside: boolean;
  /** The chain goes on from a balance that nothing explains: a movement was withheld or invented. */
  readonly pause: boolean;
  /** The gap because of which the account was paused is closed, or its own chain went on. */
  readonly resume: boolean;
}

/** Why an account is paused whose chain goes on from an unexplained balance. */
export const BALANCE_GAP = 'running balance does not add up';

/** For how long a movement may come that was booked before the first one. */
const BEFORE_FIRST_MS = 10 * 60_000;
/** For how long a loose chain may join the account's: a forger must not wait until a balance that he guessed comes true. */
const JOIN_MS = 15 * 60_000;
/** Beside more loose chains than this nothing joins: many guesses hit some balance. True messages soon join each other. */
const MOST_GUESSES = 8;
/** For how long loose chains are kept, and how many of an account. */
const LOOSE_MS = 24 * 3_600_000;
const MOST_LOOSE = 400;
/** An account is paused when a loose chain has this many steps. */
const STEPS_TO_PAUSE = 2;

const NOTHING: RunningBalanceVerdict = { chain: null, outside: false, pause: false, resume: false };

const later = (a: Date, b: Date): Date => (a > b ? a : b);
const laterText = (a: string, b: string): string => (a > b ? a : b);

/** The same loose chain after the account's own has gone on: nothing pauses because of it any more. */
const calm = ({ from, to, at, since, credits }: LooseChain): LooseChain => ({
  from,
  to,
  at,
  since,
  credits,
  steps: 0,
});

/** The account's chain with the loose chains that follow it now. */
function join(chain: BalanceChain, now: Date): BalanceChain {
  const oldest = new Date(now.getTime() - JOIN_MS).toISOString();
  const isYoung = ({ since }: LooseChain): boolean => since > oldest;
  const { newest } = chain;
  if (!newest || chain.loose.filter(isYoung).length > MOST_GUESSES) return chain;
  // Of several that begin here, what most movements support.
  const [next] = chain.loose
    .filter((one) => isYoung(one) && one.from === newest.balance.toFixed())
    .sort((a, b) => b.credits.length - a.credits.length);
  if (!next) return chain;
  const loose = chain.loose.filter((one) => one !== next);
  const at = later(newest.at, new Date(next.at));
  const due = [...chain.due, ...next.credits];
  return join({ ...chain, newest: { balance: money(next.to), at }, loose, due }, now);
}

/** The account is open again, or still: what was held for that is due. */
const calmed = (chain: BalanceChain): BalanceChain => ({
  ...chain,
  loose: chain.loose.map(calm),
  due: [...chain.due, ...chain.held],
  held: [],
});

/** The account's chain after a step forward. */
const goOn = (chain: BalanceChain, newest: ReportedBalance, now: Date): BalanceChain =>
  join({ ...calmed(chain), newest }, now);

/** The account's chain after a step before its first movement. */
function goBack(chain: BalanceChain, start: NonNullable<BalanceChain['start']>): BalanceChain {
  const before = chain.loose.find(({ to }) => to === start.balance);
  const moved = { ...chain, start };
  if (!before) return moved;
  const loose = chain.loose.filter((one) => one !== before);
  const due = [...chain.due, ...before.credits];
  return goBack({ ...moved, loose, due }, { ...start, balance: before.from });
}

/** The chain of an account that a person has opened: what paused it is believed, and its credits wait for a person. */
function opened(chain: BalanceChain): BalanceChain {
  const newest = chain.loose.findLast(({ pauses }) => pauses);
  if (!newest) return chain;
  return {
    ...chain,
    newest: { balance: money(newest.to), at: new Date(newest.at) },
    loose: chain.loose.filter(({ pauses }) => !pauses),
    due: [...chain.due, ...chain.held],
    held: [],
  };
}

/** Whether more than one movement says so. */
const isSupported = ({ credits, steps, pauses }: LooseChain): boolean => pauses ?? (credits.length > 1 || steps > 1);

/** The loose chains with one more movement, and the one that it is in now. */
function addLoose(
  loose: readonly LooseChain[],
  { id, direction, bankTime, receivedAt }: BalancedMovement,
  [before, after]: readonly [string, string],
): { readonly others: readonly LooseChain[]; readonly own: LooseChain; readonly wentOn: boolean } {
  const [at, since] = [bankTime.toISOString(), receivedAt.toISOString()];
  const ends = loose.find(({ to }) => to === before);
  const begins = loose.find((one) => one !== ends && one.from === after);
  const credits = [...(ends?.credits ?? []), ...(direction === 'CREDIT' ? [id] : []), ...(begins?.credits ?? [])];
  const steps = Math.max(ends?.steps ?? 0, begins?.steps ?? 0);
  // Right after the one before, also by the bank's time: not by chance.
  const wentOn = ends !== undefined && !begins && ends === loose.at(-1) && ends.at <= at;
  const own: LooseChain = {
    from: ends?.from ?? before,
    to: begins?.to ?? after,
    at: [ends?.at ?? at, begins?.at ?? at].reduce(laterText, at),
    since,
    steps: wentOn || steps === 0 ? steps + 1 : steps,
    credits,
    ...((ends?.pauses ?? begins?.pauses) && { pauses: true }),
  };
  return { others: loose.filter((one) => one !== ends && one !== begins), own, wentOn };
}

/**
 * Compares the balance that a bank reports after a movement with those before, by value and not by time, which is the
 * message's own word. Movements that come out of order wait outside until the gap closes.
 * @param isOpen whether the account is active: a person has opened it, if it was paused
 */
export function followBalance(known: BalanceChain, movement: BalancedMovement, isOpen: boolean): RunningBalanceVerdict {
  const { id, direction, amount, balanceAfter: after, bankTime, receivedAt } = movement;
  if (after === null) return NOTHING;
  const before = direction === 'CREDIT' ? after.minus(amount) : after.plus(amount);
  const [from, to] = [before.toFixed(), after.toFixed()];
  const oldest = new Date(receivedAt.getTime() - LOOSE_MS).toISOString();
  const kept = known.loose.filter(({ since, pauses }) => pauses ?? since > oldest);
  const most = kept.length > MOST_LOOSE ? kept.filter(isSupported).slice(-MOST_LOOSE) : kept;
  const chain = isOpen ? opened({ ...known, loose: most }) : { ...known, loose: most };
  const { newest, start, loose } = chain;
  const says = (now: BalanceChain, resume = false): RunningBalanceVerdict => ({
    chain: now,
    outside: false,
    pause: false,
    resume,
  });
  if (newest === null) {
    const until = new Date(receivedAt.getTime() + BEFORE_FIRST_MS).toISOString();
    const first = { balance: from, until };
    return says({ ...chain, newest: { balance: after, at: bankTime }, start: first });
  }
  const isPaused = loose.some(({ pauses }) => pauses);
  if (before.equals(newest.balance))
    return says(goOn(chain, { balance: after, at: later(newest.at, bankTime) }, receivedAt), isPaused);
  if (start && receivedAt.toISOString() <= start.until && to === start.balance) {
    const longer = goBack(chain, { ...start, balance: from });
    if (!isPaused) return says(join(longer, receivedAt));
    const held = [...longer.held, ...longer.due, ...(direction === 'CREDIT' ? [id] : [])];
    return longer.loose.some(({ pauses }) => pauses)
      ? says({ ...longer, due: [], held })
      : says({ ...longer, due: [...longer.due, ...longer.held], held: [] }, true);
  }
  const { others, own, wentOn } = addLoose(loose, movement, [from, to]);
  const joined = join({ ...chain, loose: [...others, own] }, receivedAt);
  // It closed the last gap but one: what follows now is judged again, this one too.
  if (joined.newest !== newest) return { ...says(isPaused ? calmed(joined) : joined, isPaused), outside: true };
  const pause = wentOn && own.steps >= STEPS_TO_PAUSE && !own.pauses;
  const now: LooseChain = pause ? { ...own, pauses: true } : own;
  return {
    ...says({ ...chain, loose: [...others, now] }),
    outside: true,
    pause: pause && isOpen,
  };
}

/** The newest balance by the bank's time, also one that does not follow: what the bank last said, for people. */
export function shownBalance({ loose, newest }: BalanceChain): ReportedBalance | null {
  if (!newest) return null;
  const last = loose.reduce<LooseChain | null>((one, next) => (one && one.at > next.at ? one : next), null);
  return last && last.at > newest.at.toISOString() ? { balance: money(last.to), at: new Date(last.at) } : newest;
}

/**
 * A chain of a row.
 * @param shown the row's balance
 * @param kept what `keptChain` made; empty for a new account
 */
export function chainOf(shown: ReportedBalance | null, kept: unknown): BalanceChain {
  const row = (kept ?? {}) as Partial<ReturnType<typeof keptChain>>;
  const { start = null, loose = [], due = [], held = [], own } = row;
  const newest = own ? { balance: money(own.balance), at: new Date(own.at) } : shown;
  return { newest, start, loose, due, held };
}

/** The same for the row, whose balance is the shown one: while that is another, the account's own stands here. */
export const keptChain = (chain: BalanceChain) => {
  const { newest, start, loose, due, held } = chain;
  const isShown = newest === shownBalance(chain);
  const own = newest && !isShown ? { balance: newest.balance.toFixed(), at: newest.at.toISOString() } : null;
  return { start, loose, due, held, own };
};
