import { Batcher } from '../batcher';
import type { Database } from '../client';
import { Lanes } from '../lanes';
import {
  findFactsOfReports,
  type JudgedReport,
  recordTransfers,
  type TransferFacts,
  type TransferReport,
} from './bank-transfers';

/** Statements that only read. */
const LOOKUPS = { size: 32, underWay: 2 };
/** Most reports of one transaction. */
const BATCH_SIZE = 32;

/** Reads and records what banks report, many reports in one SQL statement, in lanes of accounts. */
export class ReportBatches {
  private readonly lookups: Batcher<TransferReport, TransferFacts>;
  private readonly lanes: Lanes<JudgedReport, TransferFacts | undefined>;

  constructor(database: Database) {
    const look = async (reports: readonly TransferReport[]): Promise<TransferFacts[]> => {
      const found = await findFactsOfReports(database, reports);
      return reports.map(({ id }) => {
        const facts = found.get(id);
        if (!facts) throw new Error('transfer_facts said nothing');
        return facts;
      });
    };
    const record = async (judged: readonly JudgedReport[]) => await recordTransfers(database.sql, judged);
    this.lookups = new Batcher(look, LOOKUPS, database.patience);
    this.lanes = new Lanes(record, BATCH_SIZE, database.patience);
  }

  /** The present facts for the verdict on a bank credit. */
  async factsOf(report: TransferReport): Promise<TransferFacts> {
    return await this.lookups.call(report);
  }

  /** @returns undefined if it is recorded, else the facts that its verdict has to take into account */
  async record(judged: JudgedReport): Promise<TransferFacts | undefined> {
    return await this.lanes.call(judged.report.accountId, judged);
  }
}
