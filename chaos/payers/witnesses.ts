import { createHash } from 'node:crypto';
import { eventually, type Person } from '../books/hands';
import type { Random } from '../random';
import { type Booked, camtOf, csvOf, MESSAGES, plain } from './banks';
import type { Watched } from './world';

/** A request has at most 64 KiB. */
const PART_BYTES = 40_000;

/** Imports a statement of all credits, as its operator does. */
async function importFile(
  person: Person,
  { id: accountId, mode }: Watched,
  file: Buffer,
  mappingId: string,
): Promise<void> {
  const format = mode.witness === 'csv' ? 'CSV' : 'CAMT053';
  const fileName = `${createHash('sha256').update(file).digest('hex').slice(0, 12)}.${mode.witness}`;
  const input = { accountId, format, fileName, ...(format === 'CSV' && { mappingId }) };
  const { id } = await person.does<{ id: string }>('BeginStatement', { input });
  for (let part = 0; part * PART_BYTES < file.length; part++) {
    const content = file.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64');
    await person.does('AddStatementPart', { id, part, content });
  }
  for (const [status, name, more] of [
    ['READ', 'ReadStatement', {}],
    ['IMPORTED', 'ImportStatement', { reason: 'the day' }],
  ] as const)
    await eventually(`${status} of a statement`, async () => {
      const statement = await person.does<{ status: string; problem: string | null }>(name, {
        id,
        ...more,
      });
      if (statement.problem !== null) throw new Error(statement.problem);
      return statement.status === status ? statement : null;
    });
}

/** How many credits are reported out of order among each other. */
const WINDOW = 6;
/** Of a hundred credits, those that are reported twice. */
const TOLD_TWICE = 0.1;

/** A window of credits as a network delivers them: in any order, some twice. */
function delivered(credits: readonly Booked[], random: Random): Booked[] {
  const reports: Booked[] = [];
  for (let n = 0; n < credits.length; n += WINDOW) {
    const some = credits.slice(n, n + WINDOW);
    reports.push(...random.shuffle([...some, ...some.filter(() => random.chance(TOLD_TWICE))]));
  }
  return reports;
}

/** The body of an agent's report of a credit. */
function reportOf({ id, mode }: Watched, credit: Booked): Readonly<Record<string, unknown>> {
  const { coins, at, memo, reference, balance, payer } = credit;
  return {
    account_id: id,
    currency_code: mode.currency,
    amount: plain(coins, mode.decimals),
    memo,
    bank_time: at.toISOString(),
    bank_reference: reference,
    payer_name: payer,
    balance_after: plain(balance, mode.decimals),
  };
}

/**
 * Tells the platform an account's credits, as its witness does.
 * @param first is called for a credit before it is reported for the first time
 */
export async function tellAll(
  account: Watched,
  credits: readonly Booked[],
  { person, mappingId, random }: { person: Person; mappingId: string; random: Random },
  first: (credit: Booked) => void,
): Promise<void> {
  const { mode, id, tell } = account;
  if (mode.witness === 'csv' || mode.witness === 'camt') {
    const text =
      mode.witness === 'csv' ? csvOf(credits, mode.decimals) : camtOf(credits, mode.currency, account.accountNo, 0n);
    credits.forEach(first);
    await importFile(person, account, Buffer.from(text), mappingId);
    return;
  }
  const write = MESSAGES[mode.pattern ?? ''];
  for (const credit of delivered(credits, random)) {
    first(credit);
    if (write)
      await tell('/agent-texts', {
        device_id: mode.bankCode,
        account_id: id,
        text: write(credit),
        sender: mode.pattern === 'bKash received' ? 'bKash' : 'TECHCOMBANK',
        sent_at: new Date().toISOString(),
      });
    else await tell('/bank-notifications', reportOf(account, credit));
  }
}
