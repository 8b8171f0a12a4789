import { Connection, Client } from '@temporalio/client';
import { eventually, type Person } from './hands';
import type { Lane } from './lane';
import { isOurs, POTS, type Pot } from './model';
import { coinsOf, CURRENCIES, type Currency, plain } from './money';
import type { OutsideAccount } from './outside';
import type { World } from './world';
import type { Platform } from '../platform';

interface KindRow {
  readonly currencyCode: string;
  readonly kind: string;
  readonly balance: string;
}
interface Page<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** All rows of a list. */
async function all<Row>(person: Person, name: string, filter?: object): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = null; ;) {
    const page: Page<Row> = await person.does(name, {
      first: 100,
      after,
      ...(filter && { filter }),
    });
    rows.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return rows;
    after = page.pageInfo.endCursor;
  }
}

/** Differences between the ledger's sums of each kind and the model's. */
export async function sumsDiffer({ model, people: [person] }: World): Promise<string[]> {
  const rows = await person.does<KindRow[]>('TrialBalanceByKind');
  const shown = (kind: string, currency: Currency): bigint => {
    const row = rows.find((one) => one.kind === kind && one.currencyCode === currency);
    return coinsOf(row?.balance ?? '0', currency);
  };
  return CURRENCIES.flatMap((currency) => {
    const { available, frozen, owed } = model.merchants(currency);
    const wanted: [string, bigint][] = [
      ...[['MERCHANT_AVAILABLE', available] as [string, bigint]],
      ...[['MERCHANT_FROZEN', frozen] as [string, bigint]],
      ...[['MERCHANT_RECEIVABLE', -owed] as [string, bigint]],
      ...POTS.map((pot: Pot): [string, bigint] => {
        const sum = model.sum(pot, currency);
        return [pot, isOurs(pot) ? -sum : sum];
      }),
    ];
    return wanted.flatMap(([kind, coins]) => {
      const is = shown(kind, currency);
      return is === coins ? [] : [`${kind} is ${is} ${currency}, the model has ${coins}`];
    });
  });
}

interface BookRow {
  readonly id: string;
  readonly name: string;
  readonly bookBalance: string;
  readonly bankBalance: string | null;
}

interface ChannelRow {
  readonly id: string;
  readonly bookBalances: readonly { readonly currencyCode: string; readonly balance: string }[];
}

/** Accounts and channels whose books differ from those of the bank or channel. */
export async function booksDiffer({
  people: [person],
  accounts,
  channels,
  model,
  atChannel,
}: World): Promise<string[]> {
  const rows = await all<BookRow>(person, 'BankAccounts');
  const problems = accounts.flatMap(({ id, currency, balance, tellsBalance }) => {
    const row = rows.find((one) => one.id === id);
    const book = coinsOf(row?.bookBalance ?? '0', currency);
    const bank = tellsBalance ? coinsOf(row?.bankBalance ?? '0', currency) : balance;
    const ours = model.at(id, currency);
    return book === balance && bank === balance && ours === balance
      ? []
      : [`${row?.name ?? id}: book ${book}, balance reported by its bank ${bank}, model ${ours}, bank ${balance}`];
  });
  const books = await all<ChannelRow>(person, 'Channels');
  for (const channel of channels)
    for (const currency of CURRENCIES) {
      const row = books.find(({ id }) => id === channel.id);
      const found = row?.bookBalances.find((one) => one.currencyCode === currency);
      const book = coinsOf(found?.balance ?? '0', currency);
      const [ours, its] = [model.at(channel.id, currency), atChannel(channel, currency)];
      if (book !== its || ours !== its)
        problems.push(`${channel.code} ${currency}: book ${book}, model ${ours}, its own ${its}`);
    }
  return problems;
}

/** Differences between the waiting credits that the platform shows and those of the lanes. */
export async function waitingDiffers(world: World, lanes: readonly Lane[]): Promise<string[]> {
  const [person] = world.people;
  const rows = await all<{ id: string; rest: string; currencyCode: string }>(
    ...([person, 'UnmatchedTransfers'] as const),
  );
  const kept = new Map(lanes.flatMap((lane) => lane.credits.map((credit) => [credit.id, { credit, lane }] as const)));
  const surplus = rows.filter(({ id }) => !kept.has(id)).map(({ id }) => `${id} waits, but not in the model`);
  const missing = [...kept].flatMap(([id, { credit, lane }]) => {
    const row = rows.find((one) => one.id === id);
    const rest = row ? coinsOf(row.rest, lane.currency) : 0n;
    return rest === credit.rest ? [] : [`${id}: ${rest} waits, the model has ${credit.rest}`];
  });
  return [...surplus, ...missing];
}

interface Statement {
  readonly id: string;
  readonly status: string;
  readonly problem: string | null;
  readonly totals?: readonly { readonly state: string; readonly lines: number }[];
}
/** The columns of a bank's CSV statement with the balance after each line. */
export const STATEMENT_COLUMNS = [
  { holds: 'date', headings: ['Day'] },
  { holds: 'amount', headings: ['Amount'] },
  { holds: 'memo', headings: ['Details'] },
  { holds: 'reference', headings: ['Ref'] },
  { holds: 'balance', headings: ['Balance'] },
] as const;
const MAPPING = {
  name: 'books',
  bankCode: 'BANK',
  dateFormat: 'YYYY-MM-DD',
  columns: STATEMENT_COLUMNS,
};
/** A request has at most 64 KiB. */
const PART_BYTES = 40_000;
/** The offset of the accounts' zone, which is behind all others. */
const WEST_MS = -12 * 3_600_000;
const dayOf = (at: Date): string => new Date(at.getTime() + WEST_MS).toISOString().slice(0, 10);

/** The bank's statement of an account, from its own records. */
const statementOf = ({ movements, currency }: OutsideAccount, opening: bigint): string => {
  let balance = opening;
  const lines = movements.map(({ at, coins, memo, reference }) => {
    balance += coins;
    return [dayOf(at), plain(coins, currency), memo, reference, plain(balance, currency)].join(',');
  });
  return ['Day,Amount,Details,Ref,Balance', ...lines].join('\n');
};

/** Imports an account's statement. @returns how many of its lines were not reported before, or could not be read */
async function importStatement(
  person: Person,
  account: OutsideAccount,
  mappingId: string,
): Promise<{ readonly lines: number; readonly unknown: number }> {
  const input = { accountId: account.id, format: 'CSV', fileName: 'books.csv', mappingId };
  const { id } = await person.does<Statement>('BeginStatement', { input });
  const file = Buffer.from(statementOf(account, account.opening));
  for (let part = 0; part * PART_BYTES < file.length; part++) {
    const content = file.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64');
    await person.does('AddStatementPart', { id, part, content });
  }
  const until = async (status: string, name: string, more: object): Promise<Statement> =>
    await eventually(`${status} of a statement`, async () => {
      const statement = await person.does<Statement>(name, { id, ...more });
      if (statement.problem !== null) throw new Error(statement.problem);
      return statement.status === status ? statement : null;
    });
  const { totals = [] } = await until('READ', 'ReadStatement', {});
  await until('IMPORTED', 'ImportStatement', { reason: 'the end of the day' });
  const count = (states: readonly string[]): number =>
    totals.filter(({ state }) => states.includes(state)).reduce((sum, { lines }) => sum + lines, 0);
  return { lines: account.movements.length, unknown: count(['NEW', 'BAD']) };
}

/** A zone in which the current day of the west has ended, and no later day has. */
function zoneOfTomorrow(now: Date): string {
  const hour = new Date(now.getTime() + WEST_MS).getUTCHours();
  const offset = -12 + (24 - hour) + 1;
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

interface Close {
  readonly id: string;
  readonly accountId: string | null;
  readonly day: string;
  readonly closing: string;
  readonly outsideSource: string | null;
  readonly difference: string;
  readonly item: object | null;
}

/** The daily closes of every account. */
export interface Closing {
  readonly problems: readonly string[];
  readonly closed: number;
  readonly lines: number;
}

/** Ends the day, imports each account's statement, and closes every account by the daily close. */
export async function closeAll(world: World, platform: Platform): Promise<Closing> {
  const { people, accounts } = world;
  const [person] = people;
  const problems: string[] = [];
  const { id: mappingId } = await person.decides<{ id: string }>('PutStatementMapping', {
    input: MAPPING,
  });
  const now = new Date();
  const [timeZone, today] = [zoneOfTomorrow(now), dayOf(now)];
  let allLines = 0;
  for (const account of accounts) {
    await person.decides('UpdateBankAccount', { id: account.id, input: { timeZone } });
    const { lines, unknown } = await importStatement(person, account, mappingId);
    allLines += lines;
    if (unknown > 0) problems.push(`${account.accountNo}: ${unknown} lines had not been reported`);
  }
  const connection = await Connection.connect({ address: platform.temporalAddress });
  await new Client({ connection }).schedule.getHandle('day-close').trigger();
  const closes = await eventually('the proposals of the daily close', async () => {
    const found = await all<Close>(person, 'DayCloses');
    const isThere = (id: string): boolean => found.some(({ accountId, day }) => accountId === id && day === today);
    return accounts.every(({ id }) => isThere(id)) ? found : null;
  });
  await connection.close();
  let closed = 0;
  // A channel's day ends at midnight UTC.
  const ended = closes.filter(({ accountId }) => accountId !== null);
  for (const { id } of ended.sort((a, b) => (a.day < b.day ? -1 : 1))) {
    const close = await people[1].decides<Close>('CloseDay', { id, evidence: undefined });
    const account = accounts.find((one) => one.id === close.accountId);
    // Closes of earlier days, which may have been proposed meanwhile, do not count.
    if (!account || close.day !== today) continue;
    closed++;
    const closing = coinsOf(close.closing, account.currency);
    const name = `${account.accountNo} ${account.currency} ${close.day}`;
    if (closing !== account.balance) problems.push(`${name} closed with ${closing}, and has ${account.balance}`);
    if (close.outsideSource !== 'STATEMENT' || close.item !== null)
      problems.push(`${name}: ${close.outsideSource ?? 'nothing'} differs by ${close.difference}`);
  }
  return { problems, closed, lines: allLines };
}
