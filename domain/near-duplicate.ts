import { LIMITS } from './limits';
import { normaliseMemo } from './remark';

/** A report of a bank credit, as far as it may be the same credit as another one of its account and amount. */
export interface AlikeReport {
  readonly source: string;
  readonly bankReference: string | null;
  readonly bankTime: Date;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly memo: string;
  /** Of another one: whether it has paid an order whose remark the report has. */
  readonly sameOrder?: boolean;
}

/** The same source may see a credit in two ways, such as in a message without and in a statement with a reference. */
const wayOf = ({ source, bankReference }: AlikeReport): string =>
  `${source} ${bankReference === null ? 'without' : 'with'} reference`;

const contradict = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.trim().toUpperCase() !== b.trim().toUpperCase();

/**
 * Whether two reports may be of one credit: with the remark of the same order, because a remark is for one payment; at
 * nearly the same time; else on about the same value date, if neither the bank's references nor the payers tell them
 * apart.
 */
function mayBeOne(a: AlikeReport, b: AlikeReport): boolean {
  if (b.sameOrder === true) return true;
  if (normaliseMemo(a.memo) !== normaliseMemo(b.memo)) return false;
  const apart = Math.abs(a.bankTime.getTime() - b.bankTime.getTime());
  if (apart <= LIMITS.nearDuplicateSeconds * 1000) return true;
  return (
    (a.bankReference === null || b.bankReference === null) &&
    !contradict(a.payerName, b.payerName) &&
    !contradict(a.payerAccount, b.payerAccount)
  );
}

/**
 * Whether a report may be of a credit that another source has reported already. Sources pair one to one: the third
 * report of a source is that of another's third, and new where the other has reported two.
 * @param alike reports of the same account and amount within the value-date window, of any source
 */
export function isNearDuplicate(report: AlikeReport, alike: readonly AlikeReport[]): boolean {
  const counts = new Map<string, number>();
  for (const other of alike) if (mayBeOne(report, other)) counts.set(wayOf(other), (counts.get(wayOf(other)) ?? 0) + 1);
  const own = counts.get(wayOf(report)) ?? 0;
  return Math.max(0, ...counts.values()) > own;
}

/**
 * Whether nothing tells a report from that of another credit: no reference, no payer, no balance, and no remark in its
 * memo. An equal one is then another credit or the same: a person finds out.
 */
export const isNameless = (report: {
  readonly bankReference: string | null;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly balanceAfter: unknown;
  readonly remarks: readonly string[];
}): boolean =>
  report.bankReference === null &&
  report.payerName === null &&
  report.payerAccount === null &&
  report.balanceAfter === null &&
  report.remarks.length === 0;

/** What a report may add to the same credit, reported before. */
export interface KnownCredit {
  readonly memo: string;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly balanceAfter: unknown;
}

/**
 * Whether a report of a credit that waits says more than what is known of it: a memo that continues the known one, a
 * payer, a balance. It contradicts nothing.
 */
export function saysMore(report: KnownCredit, known: KnownCredit): boolean {
  const [memo, before] = [normaliseMemo(report.memo), normaliseMemo(known.memo)];
  if (!memo.includes(before)) return false;
  if (contradict(report.payerName, known.payerName)) return false;
  if (contradict(report.payerAccount, known.payerAccount)) return false;
  return (
    memo.length > before.length ||
    (known.payerName === null && report.payerName !== null) ||
    (known.payerAccount === null && report.payerAccount !== null) ||
    (known.balanceAfter === null && report.balanceAfter !== null)
  );
}
