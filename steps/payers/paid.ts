import { uuidv7 } from 'uuidv7';
import { soughtTrait } from '../../crypto/listed-payer';
import { sealFinding } from '../../crypto/personal';
import { type PayerEntry, traitsOf } from '../../domain/payer-lists';
import { payeeOf } from '../../domain/payer-rules';
import type { Database, Transaction } from '../../db/client';
import { findEntriesOf, notePayerFinding } from '../../db/payers/listed';
import type { TransferFacts, TransferReport, TransferVerdict } from '../../db/transfers/bank-transfers';
import type { Needs } from '../context';
import { openTask } from '../postings/payer-return-effects';

type Paid = Pick<TransferReport, ('id' | 'amount' | 'currencyCode') | ('payerName' | 'payerAccount')>;
type Sql = Transaction | Database['sql'];

const traitsOfPaid = ({ payerName, payerAccount }: Pick<Paid, 'payerName' | 'payerAccount'>) =>
  traitsOf({ NAME: payerName, ACCOUNT: payerAccount });

/** The entries of payers' lists that may fit the payer of a credit. */
export const entriesOfPayer = async (
  { database, lookup, now }: Needs<'database' | 'lookup' | 'now'>,
  paid: Pick<Paid, 'payerName' | 'payerAccount'>,
): Promise<PayerEntry[]> =>
  await findEntriesOf(
    database,
    traitsOfPaid(paid).map((trait) => soughtTrait(lookup, trait)),
    now,
  );

/** The same, if anybody is listed at all. */
export const payerEntries = async (
  context: Needs<'database' | 'lookup' | 'now'>,
  report: Paid,
  { payersListed }: TransferFacts,
): Promise<PayerEntry[]> => (payersListed ? await entriesOfPayer(context, report) : []);

/** The same for several reports, by their ids, in one SQL statement. */
export async function entriesOfReports(
  { database, lookup, now }: Needs<'database' | 'lookup' | 'now'>,
  reports: readonly Paid[],
  facts: ReadonlyMap<string, TransferFacts>,
): Promise<ReadonlyMap<string, readonly PayerEntry[]>> {
  const asked = reports.filter(({ id }) => facts.get(id)?.payersListed);
  const traits = new Map(
    asked.flatMap(traitsOfPaid).map((known) => [`${known.trait} ${known.key}`, soughtTrait(lookup, known)]),
  );
  const entries = await findEntriesOf(database, [...traits.values()], now);
  return new Map(asked.map(({ id }) => [id, entries]));
}

/** Why money goes back by a rule. It names nobody: whom the two name, the credit's finding says, which can be masked. */
const GOES_BACK = 'the payer is not the one that the merchant announced';

/**
 * Opens the task of sending money back, if a rule that two people agreed on requires it and the bank reported the
 * payer's account.
 */
async function sendBack(
  tx: Transaction,
  context: Needs<'lookup' | 'now' | 'sealer'>,
  report: Paid,
  changeId: string,
): Promise<void> {
  const payee = payeeOf({ name: report.payerName, account: report.payerAccount });
  if (!payee) return;
  const { id: bankTransferId, currencyCode, amount } = report;
  await openTask(
    tx,
    {
      id: uuidv7(),
      bankTransferId,
      depositId: null,
      merchantId: null,
      currencyCode,
      amount: amount.toFixed(),
      payeeName: payee.name,
      payeeAccount: payee.account,
      payeeBank: null,
      enteredBy: [],
    },
    { id: changeId, reason: GOES_BACK, now: context.now, seals: context },
  );
}

/** Applies the findings about a payer, once the credit is recorded. */
type Settle = (report: Paid, facts: TransferFacts) => Promise<void>;
const NOTHING_FOUND: Settle = async () => {
  await Promise.resolve();
};

/**
 * Applies a verdict. Findings about the payer, with alert and return, are written in the transaction of the credit.
 */
export async function withPayer<Result>(
  context: Needs<'database' | 'lookup' | 'now' | 'sealer'>,
  sql: Sql,
  { match }: TransferVerdict,
  work: (sql: Sql, settle: Settle) => Promise<Result>,
): Promise<Result> {
  const { payer } = match;
  if (payer === null) return await work(sql, NOTHING_FOUND);
  const { finding, depositId, doubt, goesBack } = payer;
  const within = async (tx: Transaction): Promise<Result> =>
    await work(tx, async (report, { named }) => {
      await notePayerFinding(tx, {
        transferId: report.id,
        finding: sealFinding(context.sealer, report.id, finding),
        alert: doubt === null ? { orderId: depositId, words: finding } : null,
        now: context.now,
      });
      const changeId = named.find(({ id }) => id === depositId)?.payerRules?.changeId;
      if (goesBack && changeId) await sendBack(tx, context, report, changeId);
    });
  return sql === context.database.sql ? await context.database.transaction(within) : await within(sql as Transaction);
}
