import { payoutRefusal } from './channel';
import type { WalletKind } from './channel-deposit';
import type { Money } from './money';
import { type PooledChannel, unaskedPayoutCandidate, type UnaskedPayoutCandidate } from './payout-way';
import type { Replayed } from './replay';
import { Agenda, PayerBook } from './replay-books';
import { type FoundWay, type HealthNote, Standing } from './replay-standing';
import { isInPool } from './routing';
import { ruleFor, type RuleSet } from './routing-rules';
import { type Candidates, candidatesOf, firstWay } from './way';

/*
 * Replays the payouts of a past day by other rules, as domain/replay.ts does deposits. A payout is replayed once, at the
 * moment when its last way was looked for: a channel that had refused it before refuses it again.
 */

/** The way of a payout to people, among what a beneficiary was paid by. */
const PEOPLE = 'people';

/** A payout of the day as it was. */
export interface PastPayout extends FoundWay {
  readonly id: string;
  readonly merchantId: string;
  readonly amount: Money;
  /** When its last way was looked for. */
  readonly at: Date;
  readonly poolId: string | null;
  readonly walletKind: WalletKind | null;
  /** Of the beneficiary, in our directory. */
  readonly bankCode: string;
  /** The beneficiary among those of its merchant. */
  readonly payer: string;
  /** The rules that were in force; null: none. */
  readonly rules: RuleSet | null;
  readonly completedAt: Date | null;
}

/** A payout of another day that was completed during this one. */
export type OtherPayout = Pick<PastPayout, 'merchantId' | 'payer' | 'went' | 'completedAt'>;

/** A channel that pays out in the currency, as it is set up now. */
export interface ReplayedChannel extends Omit<PooledChannel, 'bankCode' | 'tried' | 'balance' | 'isMerchants'> {
  /** The banks that it pays to, by our codes; null: all. */
  readonly banks: ReadonlySet<string> | null;
}

/** What stands when the day begins. */
export interface PayoutsBefore {
  readonly currencyCode: string;
  readonly channels: readonly ReplayedChannel[];
  readonly others: readonly OtherPayout[];
  /** The changes of the day, and how each cause stood before. */
  readonly health: readonly HealthNote[];
}

type Target = UnaskedPayoutCandidate<PooledChannel>;

/** Replays a day of payouts, one after the other, by time. */
export class PayoutReplay {
  private readonly agenda = new Agenda();
  private readonly standing = new Standing();
  private readonly payers = new PayerBook(new Map());
  /** The lowest amount that a channel's balance did not cover; none once it pays as much. */
  private readonly short = new Map<string, Money>();
  /** By pool and bank: the rest of a payout does not matter to who may take it. */
  private readonly places = new Map<string, Candidates<Target>>();

  /** @param draft the rules to replay by; null: those that were in force for each payout */
  constructor(
    private readonly day: PayoutsBefore,
    private readonly draft: RuleSet | null,
  ) {
    for (const note of day.health)
      this.agenda.add(note.at, () => {
        this.standing.change(note);
      });
    for (const other of day.others) this.complete(other, other.went);
  }

  private complete(
    { merchantId, payer, completedAt }: Pick<PastPayout, 'merchantId' | 'payer' | 'completedAt'>,
    goes: string | null,
  ): void {
    if (completedAt)
      this.agenda.add(completedAt, () => {
        this.payers.complete(merchantId, payer, goes ?? PEOPLE);
      });
  }

  /** Adds what was completed before the day for beneficiaries who have no payout in it yet. */
  learn(pasts: ReadonlyMap<string, readonly string[]>): void {
    this.payers.learn(pasts);
  }

  private candidatesFor({ poolId, bankCode }: PastPayout): Candidates<Target> {
    const key = `${poolId} ${bankCode}`;
    const known = this.places.get(key);
    if (known) return known;
    const found = candidatesOf(
      this.day.channels.map(({ banks, ...channel }) =>
        unaskedPayoutCandidate<PooledChannel>({
          ...channel,
          bankCode: banks === null || banks.has(bankCode) ? bankCode : null,
          isMerchants: isInPool(channel.poolIds, poolId),
          // What it held at a moment is not known any more: payouts of the day say when it was too little.
          balance: null,
          tried: false,
        }),
      ),
    );
    this.places.set(key, found);
    return found;
  }

  private refusalOf({ id, channel }: Target, order: PastPayout): string | null {
    const { currencyCode } = this.day;
    const { amount } = order;
    const setUp = payoutRefusal(channel, { currencyCode, amount });
    const refusal = this.standing.refusalOf(id, setUp, order);
    if (refusal !== null || id === order.went) return refusal;
    return this.short.get(id)?.lte(amount) ? 'LOW_BALANCE' : null;
  }

  private note(order: PastPayout): void {
    const { went, refused, amount } = order;
    this.standing.note(order);
    for (const [id, reason] of refused) {
      const least = this.short.get(id);
      if (reason === 'LOW_BALANCE' && !least?.lte(amount)) this.short.set(id, amount);
    }
    if (went !== null && this.short.get(went)?.lte(amount)) this.short.delete(went);
  }

  /** Where the next payout would have gone. They come by time. */
  next(order: PastPayout): Replayed {
    this.agenda.runUntil(order.at);
    const rules = this.draft ?? order.rules;
    const payer = this.payers.pastOf(order);
    const found = rules ? ruleFor(rules, { ...order, payer }) : 'NONE';
    const rule = typeof found === 'string' ? null : found.rule;
    const way = firstWay(rule, this.candidatesFor(order), payer.ways, order.id, (one) => this.refusalOf(one, order));
    const goes = way?.id ?? null;
    this.note(order);
    this.complete(order, goes);
    return { order, goes, rule: rule?.name ?? null };
  }
}
