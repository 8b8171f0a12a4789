import type { DepositChannel, WalletKind } from './channel-deposit';
import { refusalOfDeposit, unaskedCandidates, type UnaskedDepositCandidate } from './deposit-way';
import { type Money, ZERO } from './money';
import { countsDays, type DayLimits, dayRefusal, NO_DAY_LIMITS } from './received-limits';
import { Agenda, PayerBook, ReceivedBook } from './replay-books';
import { type FoundWay, type HealthNote, Standing } from './replay-standing';
import type { RoutableAccount } from './routing';
import { ruleFor, type RuleSet } from './routing-rules';
import { type Candidates, candidatesOf, firstWay } from './way';

/*
 * Replays the orders of a past day by other rules: where would each have gone? What an order was (its amount, payer, when it
 * was paid or ended) stays; its limits, its completion and its payer's way back follow it to where it goes in the replay.
 */

/** What an order received, as the bank or the channel reported it. */
export interface Receipt {
  readonly at: Date;
  readonly bankTime: Date;
  readonly amount: Money;
}

/** An order of the day as it was. */
export interface PastOrder extends FoundWay {
  readonly id: string;
  readonly merchantId: string;
  readonly amount: Money;
  readonly at: Date;
  readonly poolId: string | null;
  readonly walletChannelId: string | null;
  readonly walletKind: WalletKind | null;
  /** Its payer among those of its merchant; null: it names none. */
  readonly payer: string | null;
  /** The rules that were in force; null: none. */
  readonly rules: RuleSet | null;
  /** What it holds of the limits of its account or channel until `releasedAt`; null: it still does. */
  readonly share: Money;
  readonly releasedAt: Date | null;
  readonly completedAt: Date | null;
  readonly receipts: readonly Receipt[];
}

/** An order that was open when the day began, where it was. */
export type OpenOrder = Pick<
  PastOrder,
  'merchantId' | 'payer' | 'share' | 'releasedAt' | 'completedAt' | 'receipts'
> & { readonly went: string };

/** An account of the replay, as it is set up now. */
export interface ReplayedAccount extends Omit<RoutableAccount, 'use'> {
  readonly timeZone: string;
  readonly maxOpenDeposits: number;
  /** What it had received before the day began, by day of its zone. */
  readonly received: readonly {
    readonly day: string;
    readonly amount: Money;
    readonly count: number;
  }[];
}

/** A channel of the replay, as it is set up now. */
export interface ReplayedChannel extends Omit<DepositChannel, 'use'> {
  readonly timeZone: string;
  /** What it had received before the day began, by day of its zone. */
  readonly received: ReplayedAccount['received'];
}

/** What stands when the day begins. */
export interface DayBefore<Account extends ReplayedAccount, Channel extends ReplayedChannel> {
  readonly currencyCode: string;
  readonly accounts: readonly Account[];
  readonly channels: readonly Channel[];
  readonly open: readonly OpenOrder[];
  /** What accounts and channels received that no order of the day was paid by. */
  readonly receipts: readonly (Receipt & { readonly takerId: string })[];
  /** The changes of the day, and how each cause stood before. */
  readonly health: readonly HealthNote[];
  /** What payers had completed before, by `merchant payer`, the latest first. */
  readonly pasts: ReadonlyMap<string, readonly string[]>;
}

/** Where an order would have gone. */
export interface Replayed {
  readonly order: { readonly id: string; readonly went: string | null; readonly amount: Money };
  /** Null: nothing takes it. */
  readonly goes: string | null;
  /** The name of the rule; null: it fits none. */
  readonly rule: string | null;
}

interface Book {
  readonly limits: DayLimits;
  readonly counts: boolean;
  readonly most: number;
  readonly received: ReceivedBook;
  open: number;
}

const UNUSED = { dayAmount: ZERO, dayCount: 0, monthAmount: ZERO, monthCount: 0, held: ZERO };

const bookOf = (
  { timeZone, received }: Pick<ReplayedAccount, 'timeZone' | 'received'>,
  limits: DayLimits,
  most: number,
): Book => ({
  limits,
  counts: countsDays(limits),
  most,
  open: 0,
  received: new ReceivedBook(timeZone, received),
});

type Target = UnaskedDepositCandidate<RoutableAccount, DepositChannel>;

/** Replays a day of deposits, an order after the other, by time. */
export class DepositReplay<Account extends ReplayedAccount, Channel extends ReplayedChannel> {
  private readonly books: ReadonlyMap<string, Book>;
  private readonly agenda = new Agenda();
  private readonly standing = new Standing();
  private readonly payers: PayerBook;
  private readonly accounts: readonly RoutableAccount[];
  private readonly channels: readonly DepositChannel[];
  /** By pool and wallet: the rest of an order does not matter to who may take it. */
  private readonly places = new Map<string, Candidates<Target>>();

  /** @param draft the rules to replay by; null: those that were in force for each order */
  constructor(
    private readonly day: DayBefore<Account, Channel>,
    private readonly draft: RuleSet | null,
  ) {
    this.payers = new PayerBook(day.pasts);
    // What an account held at a moment is not known any more: refusals of the day say when it was full.
    this.books = new Map<string, Book>([
      ...day.accounts.map((one) => [one.id, bookOf(one, one, one.maxOpenDeposits)] as const),
      ...day.channels.map((one) => [one.id, bookOf(one, one.depositLimits, Infinity)] as const),
    ]);
    // Limits are asked of the books.
    this.accounts = day.accounts.map((account) => ({
      ...account,
      maxDailyAmount: null,
      maxMonthlyAmount: null,
      maxDailyCount: null,
      maxMonthlyCount: null,
      maxBalance: null,
      use: UNUSED,
    }));
    this.channels = day.channels.map((channel) => ({
      ...channel,
      depositLimits: NO_DAY_LIMITS,
      use: UNUSED,
    }));
    for (const note of day.health)
      this.agenda.add(note.at, () => {
        this.standing.change(note);
      });
    for (const order of day.open) this.hold(order, order.went);
    for (const { takerId, ...receipt } of day.receipts) this.plan(receipt, takerId);
  }

  private plan({ at, bankTime, amount }: Receipt, takerId: string): void {
    this.agenda.add(at, () => {
      this.books.get(takerId)?.received.receive(bankTime, amount);
    });
  }

  /** An order is there from now on, and ends and is paid as it did. */
  private hold(order: Omit<OpenOrder, 'went'>, goes: string): void {
    const { merchantId, payer, share, releasedAt, completedAt, receipts } = order;
    const book = this.books.get(goes);
    if (book) {
      book.open += 1;
      book.received.hold(share);
      if (releasedAt)
        this.agenda.add(releasedAt, () => {
          book.open -= 1;
          book.received.release(share);
        });
    }
    for (const receipt of receipts) this.plan(receipt, goes);
    if (completedAt && payer !== null)
      this.agenda.add(completedAt, () => {
        this.payers.complete(merchantId, payer, goes);
      });
  }

  private refusalOf(candidate: Target, order: PastOrder): string | null {
    const { id } = candidate;
    const { currencyCode } = this.day;
    const setUp = refusalOfDeposit(candidate, { ...order, currencyCode, tried: [] });
    const refusal = this.standing.refusalOf(id, setUp, order);
    const book = this.books.get(id);
    if (refusal !== null || !book) return refusal;
    if (book.counts) {
      const limit = dayRefusal(book.limits, book.received.use(order.at), order.share);
      if (limit) return limit;
    }
    return book.open >= book.most ? 'TOO_MANY_OPEN' : null;
  }

  private candidatesFor({ poolId, walletChannelId }: PastOrder): Candidates<Target> {
    const key = `${poolId} ${walletChannelId}`;
    const known = this.places.get(key);
    if (known) return known;
    const { currencyCode } = this.day;
    const place = { currencyCode, poolId, walletChannelId };
    const found = candidatesOf(unaskedCandidates(this.accounts, this.channels, place));
    this.places.set(key, found);
    return found;
  }

  /** Tells what payers completed before the day who have no order in it yet. */
  learn(pasts: ReadonlyMap<string, readonly string[]>): void {
    this.payers.learn(pasts);
  }

  /** Where the next order would have gone. Orders come by time. */
  next(order: PastOrder): Replayed {
    this.agenda.runUntil(order.at);
    const rules = this.draft ?? order.rules;
    const payer = this.payers.pastOf(order);
    const found = rules ? ruleFor(rules, { ...order, payer }) : 'NONE';
    const rule = typeof found === 'string' ? null : found.rule;
    const candidates = this.candidatesFor(order);
    const way = firstWay(rule, candidates, payer.ways, order.id, (one) => this.refusalOf(one, order));
    const goes = way?.id ?? null;
    this.standing.note(order);
    if (goes !== null) this.hold(order, goes);
    return { order, goes, rule: rule?.name ?? null };
  }
}
