import {
  RECEIVED_REFUSALS,
  type ReceivedLimits,
  countsReceived,
  receivedRefusal,
} from './bank-account';
import type { DepositChannel, WalletKind } from './channel-deposit';
import { refusalOfDeposit, unaskedCandidates, type UnaskedDepositCandidate } from './deposit-way';
import { ACCOUNT_HEALTH_REFUSALS, CHANNEL_HEALTH_REFUSALS } from './health';
import { type Money, ZERO } from './money';
import { Agenda, ReceivedBook } from './replay-books';
import type { RoutableAccount } from './routing';
import {
  NEW_PAYER,
  type PayerPast,
  ruleFor,
  type RuleSet,
  tierOf,
  TRUSTED_FROM,
} from './routing-rules';
import { type Candidates, candidatesOf, firstWay } from './way';

/*
 * Replays the orders of a past day by other rules: where would each have gone? What an order was (its amount, payer, when it
 * was paid or ended) stays; its limits, its completion and its payer's way back follow it to where it goes in the replay.
 */

/** What an order received, as the bank reported it. */
export interface Receipt {
  readonly at: Date;
  readonly bankTime: Date;
  readonly amount: Money;
}

/** An order of the day as it was. */
export interface PastOrder {
  readonly id: string;
  readonly merchantId: string;
  readonly amount: Money;
  readonly at: Date;
  readonly poolId: string | null;
  readonly walletChannelId: string | null;
  readonly walletKind: WalletKind | null;
  /** Its payer among those of its merchant; null: it names none. */
  readonly payer: string | null;
  /** Where it went: an account or a channel; null: a payout to people. */
  readonly went: string | null;
  /** What refused it, by id. */
  readonly refused: ReadonlyMap<string, string>;
  /** The rules that were in force; null: none. */
  readonly rules: RuleSet | null;
  /** What it holds of its account's limits until `releasedAt`; null: it still does. */
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

/** A change of the health of an account or a channel. */
export interface HealthNote {
  readonly id: string;
  /** What changed: several causes may pass it over at once. */
  readonly cause: string;
  /** Why it is passed over from then on; null: not for this cause. */
  readonly refusal: string | null;
  readonly at: Date;
}

/** What stands when the day begins. */
export interface DayBefore<Account extends ReplayedAccount, Channel extends DepositChannel> {
  readonly currencyCode: string;
  readonly accounts: readonly Account[];
  readonly channels: readonly Channel[];
  readonly open: readonly OpenOrder[];
  /** What accounts received that no order of the day was paid by. */
  readonly receipts: readonly (Receipt & { readonly accountId: string })[];
  /** The changes of the day, and how each cause stood before. */
  readonly health: readonly HealthNote[];
  /** What payers had completed before, by `merchant payer`, the latest first. */
  readonly pasts: ReadonlyMap<string, readonly string[]>;
}

/** Where an order would have gone. */
export interface Replayed {
  readonly order: PastOrder;
  /** Null: nothing takes it. */
  readonly goes: string | null;
  /** The name of the rule; null: it fits none. */
  readonly rule: string | null;
}

/** Refusals that the replay finds by itself, because they depend on where other orders went. */
const REPLAYED: ReadonlySet<string> = new Set([
  ...RECEIVED_REFUSALS.filter((reason) => reason !== 'BALANCE_LIMIT'),
  'TOO_MANY_OPEN',
]);
/** Refusals that follow from the settings of today. Every other one says how something stood at that moment. */
const SETTINGS: ReadonlySet<string> = new Set([
  ...['NOT_IN_POOL', 'BELOW_MINIMUM', 'ABOVE_MAXIMUM', 'OTHER_CURRENCY', 'OTHER_WALLET'],
  ...['OF_AN_ACCOUNT', 'NOT_ITS_AMOUNT', 'BANK_NOT_SERVED', 'NO_FLOAT_SPACE', 'ACCOUNT_CHANGED'],
  ...['TRIED_BEFORE', 'LOW_BALANCE'],
]);

/** Refusals by health, of which each change is recorded. */
const HEALTH: ReadonlySet<string> = new Set([
  ...ACCOUNT_HEALTH_REFUSALS,
  ...CHANNEL_HEALTH_REFUSALS,
  'DOWN',
]);

/** How accounts and channels stood: their health as it was recorded, and all else as orders found it. */
export class Standing {
  private readonly found = new Map<string, string | null>();
  private readonly health = new Map<string, Map<string, string | null>>();

  /** Notes a change of health. */
  change({ id, cause, refusal }: HealthNote): void {
    const causes = this.health.get(id) ?? new Map<string, string | null>();
    this.health.set(id, causes.set(cause, refusal));
  }

  /** Notes what an order shows of it. */
  note({ went, refused }: Pick<PastOrder, 'went' | 'refused'>): void {
    for (const [id, reason] of refused)
      if (!REPLAYED.has(reason) && !SETTINGS.has(reason) && !HEALTH.has(reason))
        this.found.set(id, reason);
    if (went !== null) this.found.set(went, null);
  }

  /**
   * Why a candidate does not take an order, but for what the replay finds itself: as the order itself found it, else as
   * others found it before, else as it is set up now; its health as it was recorded.
   * @param setUp why it would not as it is set up now
   */
  refusalOf(
    id: string,
    setUp: string | null,
    { went, refused }: Pick<PastOrder, 'went' | 'refused'>,
  ): string | null {
    if (id === went) return null;
    const own = refused.get(id);
    if (own !== undefined && !REPLAYED.has(own)) return own;
    if (setUp !== null && SETTINGS.has(setUp)) return setUp;
    const found = this.found.get(id);
    const standing = found === undefined ? setUp : found;
    if (standing !== null && !HEALTH.has(standing)) return standing;
    for (const reason of this.health.get(id)?.values() ?? []) if (reason !== null) return reason;
    return null;
  }
}

interface Book {
  readonly limits: ReceivedLimits;
  readonly counts: boolean;
  readonly most: number;
  readonly received: ReceivedBook;
  open: number;
}

const NOTHING = { dayAmount: ZERO, dayCount: 0, monthAmount: ZERO, monthCount: 0, held: ZERO };

type Target = UnaskedDepositCandidate<RoutableAccount, DepositChannel>;

/** Replays a day of deposits, an order after the other, by time. */
export class DepositReplay<Account extends ReplayedAccount, Channel extends DepositChannel> {
  private readonly books: ReadonlyMap<string, Book>;
  private readonly agenda = new Agenda();
  private readonly standing = new Standing();
  private readonly pasts: Map<string, readonly string[]>;
  private readonly accounts: readonly RoutableAccount[];
  /** By pool and wallet: the rest of an order does not matter to who may take it. */
  private readonly places = new Map<string, Candidates<Target>>();

  /** @param draft the rules to replay by; null: those that were in force for each order */
  constructor(
    private readonly day: DayBefore<Account, Channel>,
    private readonly draft: RuleSet | null,
  ) {
    this.pasts = new Map(day.pasts);
    this.books = new Map(
      day.accounts.map((account) => [
        account.id,
        {
          // What its book said at a moment is not known any more: refusals of the day say when it was full.
          limits: { ...account, maxBalance: null },
          counts: countsReceived({ ...account, maxBalance: null }),
          most: account.maxOpenDeposits,
          received: new ReceivedBook(account.timeZone, account.received),
          open: 0,
        },
      ]),
    );
    // Limits are asked of the books.
    this.accounts = day.accounts.map((account) => ({
      ...account,
      ...{ maxDailyAmount: null, maxMonthlyAmount: null },
      ...{ maxDailyCount: null, maxMonthlyCount: null, maxBalance: null, use: NOTHING },
    }));
    for (const note of day.health)
      this.agenda.add(note.at, () => {
        this.standing.change(note);
      });
    for (const order of day.open) this.hold(order, order.went);
    for (const { accountId, ...receipt } of day.receipts) this.plan(receipt, accountId);
  }

  private plan({ at, bankTime, amount }: Receipt, accountId: string): void {
    this.agenda.add(at, () => {
      this.books.get(accountId)?.received.receive(bankTime, amount);
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
        const key = `${merchantId} ${payer}`;
        this.pasts.set(key, [goes, ...(this.pasts.get(key) ?? [])].slice(0, TRUSTED_FROM));
      });
  }

  private pastOf({ merchantId, payer }: PastOrder): PayerPast {
    if (payer === null) return NEW_PAYER;
    const ways = this.pasts.get(`${merchantId} ${payer}`) ?? [];
    return { tier: tierOf(ways.length), ways: [...new Set(ways)] };
  }

  private refusalOf(candidate: Target, order: PastOrder): string | null {
    const { id } = candidate;
    const { currencyCode } = this.day;
    const setUp = refusalOfDeposit(candidate, { ...order, currencyCode, tried: [] });
    const refusal = this.standing.refusalOf(id, setUp, order);
    const book = this.books.get(id);
    if (refusal !== null || !book) return refusal;
    if (book.counts) {
      const limit = receivedRefusal(book.limits, book.received.use(order.at), order.share);
      if (limit) return limit;
    }
    return book.open >= book.most ? 'TOO_MANY_OPEN' : null;
  }

  private candidatesFor({ poolId, walletChannelId }: PastOrder): Candidates<Target> {
    const key = `${poolId} ${walletChannelId}`;
    const known = this.places.get(key);
    if (known) return known;
    const { currencyCode, channels } = this.day;
    const place = { currencyCode, poolId, walletChannelId };
    const found = candidatesOf(unaskedCandidates(this.accounts, channels, place));
    this.places.set(key, found);
    return found;
  }

  /** Tells what payers completed before the day who have no order in it yet. */
  learn(pasts: ReadonlyMap<string, readonly string[]>): void {
    for (const [payer, ways] of pasts) if (!this.pasts.has(payer)) this.pasts.set(payer, ways);
  }

  /** Where the next order would have gone. Orders come by time. */
  next(order: PastOrder): Replayed {
    this.agenda.runUntil(order.at);
    const rules = this.draft ?? order.rules;
    const payer = this.pastOf(order);
    const found = rules ? ruleFor(rules, { ...order, payer }) : 'NONE';
    const rule = typeof found === 'string' ? null : found.rule;
    const candidates = this.candidatesFor(order);
    const way = firstWay(rule, candidates, payer.ways, order.id, (one) =>
      this.refusalOf(one, order),
    );
    const goes = way?.id ?? null;
    this.standing.note(order);
    if (goes !== null) this.hold(order, goes);
    return { order, goes, rule: rule?.name ?? null };
  }
}
