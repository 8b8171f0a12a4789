import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';

const POLL_MS = 10;
const WITHIN_MS = 60_000;

/** Tells when Blnk has applied what is in its queue: it looks into its table, for all who wait together. */
export class BlnkQueue {
  private readonly awaited = new Set<string>();
  private looking: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly sql: Sql) {}

  /** Resolves when all these are applied. @param references of transactions @throws if that takes a minute */
  async applied(references: readonly string[]): Promise<void> {
    const deadline = Date.now() + WITHIN_MS;
    let left = references;
    for (const reference of references) this.awaited.add(reference);
    while (left.length > 0) {
      const found = await (this.looking ??= this.look());
      left = left.filter((reference) => !found.has(reference));
      if (Date.now() > deadline) throw new Error(`Blnk has not applied ${left.join(', ')}`);
    }
  }

  private async look(): Promise<ReadonlySet<string>> {
    await sleep(POLL_MS);
    this.looking = undefined;
    const rows = await this.sql<{ reference: string }[]>`
      select reference from blnk.transactions
      where reference = any(${[...this.awaited]}::text[]) and status = 'APPLIED'`;
    const found = new Set(rows.map(({ reference }) => reference));
    for (const reference of found) this.awaited.delete(reference);
    return found;
  }
}
