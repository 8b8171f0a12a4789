import { Batcher } from '../batcher';
import type { Database } from '../client';
import {
  findFactsOfReports,
  type JudgedReport,
  recordTransfers,
  type TransferFacts,
  type TransferReport,
} from './bank-transfers';

/** Statements that only read. */
const LOOKUPS = { size: 32, underWay: 2 };
/** Concurrent transactions, each with accounts of its own. */
const LANES = 4;
/** Most credits of one transaction: its locks are held for a few milliseconds only. */
const LANE = { size: 32, underWay: 1 };

/**
 * Reads and records what banks report, many reports in one statement. Those of one account go through one lane, one
 * transaction after another, so that no report waits for an account that another one of this process has locked.
 */
export class ReportBatches {
  private readonly lookups: Batcher<TransferReport, TransferFacts>;
  private readonly lanes: readonly Batcher<JudgedReport, TransferFacts | undefined>[];

  constructor(database: Database) {
    const look = async (reports: readonly TransferReport[]): Promise<TransferFacts[]> => {
      const found = await findFactsOfReports(database, reports);
      return reports.map(({ id }) => {
        const facts = found.get(id);
        if (!facts) throw new Error('transfer_facts said nothing');
        return facts;
      });
    };
    const record = async (judged: readonly JudgedReport[]) =>
      await recordTransfers(database.sql, judged);
    this.lookups = new Batcher(look, LOOKUPS, database.patience);
    this.lanes = Array.from({ length: LANES }, () => new Batcher(record, LANE, database.patience));
  }

  /** The present facts for the verdict on a bank credit. */
  async factsOf(report: TransferReport): Promise<TransferFacts> {
    return await this.lookups.call(report);
  }

  /** @returns undefined if it is recorded, else the facts that its verdict has to take into account */
  async record(judged: JudgedReport): Promise<TransferFacts | undefined> {
    // The last digits of an account's id are random, so they spread accounts over the lanes.
    const lane = this.lanes[Number.parseInt(judged.report.accountId.slice(-4), 16) % LANES];
    if (!lane) throw new Error(`${judged.report.accountId} is no account's id`);
    return await lane.call(judged);
  }
}
