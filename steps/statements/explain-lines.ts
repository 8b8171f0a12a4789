import { uuidv7 } from 'uuidv7';
import { openCreditMemo, openDebitMemo } from '../../crypto/personal';
import type { Sealer } from '../../crypto/seal';
import { openLineText } from '../../crypto/statements';
import { LIMITS } from '../../domain/limits';
import { type Money, ZERO } from '../../domain/money';
import { operatorLines, type OperatorMoney, type PostingKind } from '../../domain/operator-posting';
import { isAbout, isAboutOtherEnd } from '../../domain/statement-rule';
import type { Transaction } from '../../db/client';
import type { NewPosting } from '../../db/ledger/operator-postings';
import * as db from '../../db/statements/rules';
import { findNotedLines, findOpenLines, noteRules, type StatementLineRow } from '../../db/statements/statements';
import { memoFits } from '../../statements';
import type { Needs } from '../context';
import { actorName } from '../access/caller';
import { takesTwo } from '../authority/row';

const DAY_MS = 86_400_000;

/**
 * The rules that may explain lines of an account, in their order: rules of the account first. If two people are
 * required, rules that the importer proposed are left out.
 */
export async function rulesFor(
  context: Needs<'actor' | 'changes' | 'database'>,
  accountId: string,
): Promise<readonly db.RuleRow[]> {
  const { actor, database } = context;
  const own = takesTwo(context) ? actorName(actor) : null;
  const ofAccount = (rule: db.RuleRow): boolean => rule.accountId === accountId || rule.otherAccountId === accountId;
  return (await db.findRules(database, false))
    .filter((rule) => rule.createdBy !== own && (rule.accountId === null || ofAccount(rule)))
    .sort((a, b) => Number(ofAccount(b)) - Number(ofAccount(a)));
}

/** A line that a rule may explain. */
interface Fit {
  readonly line: StatementLineRow & {
    readonly direction: 'CREDIT' | 'DEBIT';
    readonly amount: Money;
  };
  readonly rule: db.RuleRow;
  /** Of an own transfer: the rule is one of the other end's account, and fits the line there. */
  readonly fromOtherEnd: boolean;
}

function fitsOf(sealer: Sealer, rules: readonly db.RuleRow[], line: StatementLineRow): Fit[] {
  const { direction, amount } = line;
  const memo = openLineText(sealer, line, 'memo');
  if (direction === null || amount === null || memo === null) return [];
  const found = { ...line, direction, amount };
  return rules.flatMap((rule): Fit[] => {
    if (isAbout(rule, line) && memoFits(rule.memoPattern, memo)) return [{ line: found, rule, fromOtherEnd: false }];
    return isAboutOtherEnd(rule, line) ? [{ line: found, rule, fromOtherEnd: true }] : [];
  });
}

/** The movement of a line; a new line has none yet. */
const movementOf = ({ transferId, debitId }: StatementLineRow): string | null => transferId ?? debitId;

/** The movements at the other ends of own transfers, by line and rule, the nearest first. */
async function otherEnds(
  sealer: Sealer,
  tx: Transaction,
  fits: readonly Fit[],
): Promise<ReadonlyMap<string, readonly db.OtherEnd[]>> {
  const wanted = fits.flatMap(({ line, rule, fromOtherEnd }): db.WantedEnd[] => {
    const accountId = fromOtherEnd ? rule.accountId : rule.otherAccountId;
    if (rule.action !== 'OWN_TRANSFER' || accountId === null || line.bankTime === null) return [];
    const direction = line.direction === 'CREDIT' ? 'DEBIT' : 'CREDIT';
    const { amount, bankTime, currencyCode } = line;
    return [{ line: line.line, accountId, direction, amount, currencyCode, bankTime }];
  });
  if (wanted.length === 0) return new Map();
  const found = await db.findOtherEnds(tx, wanted, LIMITS.valueDateDays);
  const byLine = new Map<string, db.OtherEnd[]>();
  for (const end of found) {
    const key = `${end.line} ${end.accountId}`;
    const memo = end.direction === 'CREDIT' ? openCreditMemo(sealer, end) : openDebitMemo(sealer, end);
    byLine.set(key, [...(byLine.get(key) ?? []), { ...end, memo }]);
  }
  return byLine;
}

/** A rule's explanation of a line, and the part of the day's amount that it uses. */
interface Explanation {
  readonly fit: Fit;
  readonly amount: Money;
  readonly otherId: string | null;
}

/** The poster and the time. */
type Posted = Pick<NewPosting, 'at' | 'postedBy'>;

/** A posting by a rule, with its lines. */
function postingOf(
  { rule }: Fit,
  kind: PostingKind,
  about: Partial<NewPosting>,
  amount: Money,
  posted: Posted,
): db.ExplainedLine['postings'][number] {
  const none = { bankTransferId: null, accountId: null, channelId: null };
  const others = { merchantId: null, resellerId: null };
  const money: OperatorMoney = { ...none, ...others, ...about, kind, amount, fee: ZERO };
  const row: NewPosting = {
    bankDebitId: null,
    depositAttemptId: null,
    depositId: null,
    withdrawalId: null,
    pairId: null,
    ...money,
    ...about,
    id: uuidv7(),
    currencyCode: rule.currencyCode,
    changeId: null,
    ruleId: rule.id,
    reason: `rule ${rule.name}, version ${String(rule.version)}`,
    ...posted,
  };
  return { row, lines: operatorLines(money) };
}

/** The postings of an explanation; none for a line that is not recorded yet. */
function postingsOf({ fit, amount, otherId }: Explanation, posted: Posted): db.ExplainedLine['postings'] {
  const { line, rule } = fit;
  const make = (kind: PostingKind, about: Partial<NewPosting>) => postingOf(fit, kind, about, amount, posted);
  const { accountId, debitId: bankDebitId, transferId: bankTransferId } = line;
  switch (rule.action) {
    case 'BANK_CHARGE':
      return [make('BANK_CHARGED', { bankDebitId, accountId })];
    case 'INTEREST':
      return [make('INTEREST_RECEIVED', { bankTransferId })];
    case 'OWN_TRANSFER': {
      const elsewhere = fit.fromOtherEnd ? rule.accountId : rule.otherAccountId;
      const left = line.direction === 'DEBIT';
      const out = make('OWN_TRANSFER_OUT', {
        bankDebitId: left ? bankDebitId : otherId,
        accountId: left ? accountId : elsewhere,
      });
      const into = { bankTransferId: left ? otherId : bankTransferId, pairId: out.row.id };
      return [out, make('OWN_TRANSFER_IN', into)];
    }
  }
}

/** Whether only a part of a line may be explained: the rest of a debit beside its payout is a charge. */
const takesRest = ({ rule }: Fit): boolean => rule.action === 'BANK_CHARGE';

/** The choices of a dry run so far, which are not posted: an import has posted them before the next lines. */
export class Chosen {
  /** The used amount of each rule, by its id. */
  readonly amounts = new Map<string, Money>();
  /** The chosen other ends of own transfers. */
  readonly ends = new Set<string>();

  add({ fit: { rule }, amount, otherId }: Explanation): void {
    this.amounts.set(rule.id, (this.amounts.get(rule.id) ?? ZERO).plus(amount));
    if (otherId !== null) this.ends.add(otherId);
  }
}

/**
 * Chooses for each line the first rule that explains it, within the rules' limits.
 * @param earlier choices for earlier lines that are not posted
 */
async function choose(
  { sealer, now }: Needs<'now' | 'sealer'>,
  tx: Transaction,
  fits: readonly Fit[],
  earlier: Chosen,
): Promise<readonly Explanation[]> {
  const ruleIds = [...new Set(fits.map(({ rule }) => rule.id))];
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const posted = await db.lockExplained(tx, ruleIds, today);
  const explained = new Map([...posted].map(([id, amount]) => [id, amount.plus(earlier.amounts.get(id) ?? ZERO)]));
  const ends = await otherEnds(sealer, tx, fits);
  const ids = (direction: string): string[] => [
    ...fits.flatMap(({ line }) =>
      line.direction === direction && movementOf(line) !== null ? [movementOf(line) ?? ''] : [],
    ),
    ...fits.flatMap(({ line, rule }) =>
      line.direction === direction
        ? []
        : [rule.accountId, rule.otherAccountId].flatMap((id) =>
            (ends.get(`${line.line} ${id ?? ''}`) ?? []).map((end) => end.id),
          ),
    ),
  ];
  const rests = await db.lockRests(tx, ids('CREDIT'), ids('DEBIT'));
  const used = new Set<string | number>(earlier.ends);
  const chosen: Explanation[] = [];
  for (const fit of fits) {
    const { line, rule, fromOtherEnd } = fit;
    const movement = movementOf(line);
    const before = explained.get(rule.id);
    const amount = movement === null ? line.amount : (rests.get(movement) ?? ZERO);
    if (!before || used.has(line.line) || (movement !== null && used.has(movement))) continue;
    if (!amount.gt(0) || (!takesRest(fit) && !amount.equals(line.amount))) continue;
    if (amount.gt(rule.maxAmount) || before.plus(amount).gt(rule.maxDayAmount)) continue;
    let otherId: string | null = null;
    if (rule.action === 'OWN_TRANSFER') {
      const elsewhere = fromOtherEnd ? rule.accountId : rule.otherAccountId;
      const end = ends
        .get(`${line.line} ${elsewhere ?? ''}`)
        ?.find(
          ({ id, memo }) =>
            !used.has(id) && rests.get(id)?.equals(amount) && (!fromOtherEnd || memoFits(rule.memoPattern, memo)),
        );
      if (!end) continue;
      otherId = end.id;
      used.add(end.id);
    }
    used.add(line.line);
    if (movement !== null) used.add(movement);
    explained.set(rule.id, before.plus(amount));
    chosen.push({ fit, amount, otherId });
  }
  return chosen;
}

/** A part of a statement: the lines after one line, up to and with another. */
interface Part {
  readonly statementId: string;
  readonly after: number;
  readonly through: number;
}

/** The rules' explanations of lines of a part that are not explained yet. */
async function chooseOf(
  context: Needs<'now' | 'sealer'>,
  tx: Transaction,
  rules: readonly db.RuleRow[],
  { statementId, after, through }: Part,
  earlier: Chosen,
): Promise<readonly Explanation[]> {
  if (rules.length === 0) return [];
  const lines = await findOpenLines(tx, statementId, after, through);
  const fits = lines.flatMap((line) => fitsOf(context.sealer, rules, line));
  return fits.length === 0 ? [] : await choose(context, tx, fits, earlier);
}

/** The choices that an earlier call of a dry run made in a part. */
export async function addChosen(
  context: Needs<'now' | 'sealer'>,
  tx: Transaction,
  rules: readonly db.RuleRow[],
  { statementId, after, through }: Part,
  chosen: Chosen,
): Promise<void> {
  const lines = await findNotedLines(tx, statementId, after, through);
  const fits = lines.flatMap((line) =>
    fitsOf(context.sealer, rules, line).filter(({ rule }) => rule.id === line.ruleId),
  );
  if (fits.length === 0) return;
  for (const one of await choose(context, tx, fits, chosen)) chosen.add(one);
}

/**
 * Stores which rules would explain lines of a part of a statement, as `explainByRules` would after the choices for
 * earlier lines.
 */
export async function noteByRules(
  context: Needs<'now' | 'sealer'>,
  tx: Transaction,
  rules: readonly db.RuleRow[],
  part: Part,
  chosen: Chosen,
): Promise<void> {
  const found = await chooseOf(context, tx, rules, part, chosen);
  if (found.length === 0) return;
  for (const one of found) chosen.add(one);
  const noted = found.map(({ fit }) => ({ line: fit.line.line, rule: fit.rule.id }));
  await noteRules(tx, part.statementId, noted);
}

/**
 * Explains lines of a part of a statement by rules: charges, interest and own transfers that nothing else has used,
 * each within the limits of its rule. Safe to repeat: each line is explained once.
 */
export async function explainByRules(
  context: Needs<'actor' | 'log' | 'now' | 'sealer'>,
  tx: Transaction,
  rules: readonly db.RuleRow[],
  part: Part,
): Promise<void> {
  const { actor, log, now } = context;
  const { statementId, after, through } = part;
  await db.noteExplained(tx, statementId, after, through);
  const chosen = await chooseOf(context, tx, rules, part, new Chosen());
  if (chosen.length === 0) return;
  const posted = { at: now, postedBy: actorName(actor) };
  await db.explainLines(
    tx,
    statementId,
    chosen.map((one) => ({
      line: one.fit.line.line,
      ruleId: one.fit.rule.id,
      postings: postingsOf(one, posted),
    })),
  );
  log.info({ statementId, lines: chosen.length }, 'lines of a statement explained by rules');
}
