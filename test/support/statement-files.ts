import type { Actor } from '../../steps/access/actor';
import type { Tenant } from './tenant';

/** The totals of lines of one state and direction. */
interface Total {
  state: string;
  direction: string | null;
  lines: number;
  amount: string;
}
/** A statement as operators see it. */
interface Statement {
  id: string;
  status: string;
  problem: string | null;
  totals: Total[];
  explained: { lines: number; amount: string; rule: { name: string; version: number } }[];
}
/** A line of one. */
interface Line {
  line: number;
  state: string;
  problem: string | null;
  raw: string | null;
  amount: string | null;
  memo: string | null;
  partyName: string | null;
  partyAccount: string | null;
  transfer: { id: string; orderNo: string | null } | null;
  debit: { id: string } | null;
  rule: { name: string; version: number } | null;
}

const COLUMNS = {
  date: 'Date',
  amount: 'Amount',
  memo: 'Details',
  reference: 'Ref',
  balance: 'Balance',
} as const;
/** Of the files that name who paid or was paid. */
const PARTIES = { partyName: 'Name', partyAccount: 'Number' } as const;

/** Files of a bank that writes CSV, uploaded, read and imported by operators. */
export class StatementFiles {
  private constructor(
    private readonly tenant: Tenant,
    private readonly mappingId: string,
    private readonly head: string,
  ) {}

  /** Saves the mapping of these files. @param parties whether they have two more columns, the party's name and number */
  static async create(tenant: Tenant, parties = false): Promise<StatementFiles> {
    const columns = { ...COLUMNS, ...(parties ? PARTIES : {}) };
    const input = {
      name: parties ? 'with parties' : 'plain',
      dateFormat: 'YYYY-MM-DD HH:mm:ss',
      columns: Object.entries(columns).map(([holds, heading]) => ({ holds, headings: [heading] })),
    };
    const saved = await tenant.operate<{ id: string }>('PutStatementMapping', {
      input,
      reason: 'x',
    });
    return new StatementFiles(tenant, saved.id, Object.values(columns).join());
  }

  /** The time so many minutes ago, as these files write it. */
  at(minutesAgo: number): string {
    return new Date(this.tenant.now().getTime() - minutesAgo * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  }

  /** Uploads a file of these rows, in two parts. @returns its id */
  async upload(accountId: string, rows: readonly string[], actor?: Actor): Promise<string> {
    const { tenant, mappingId, head } = this;
    const input = { accountId, format: 'CSV', fileName: 'a.csv', mappingId };
    const { id } = await tenant.operate<Statement>('BeginStatement', { input }, actor);
    const file = Buffer.from([head, ...rows].join('\n'));
    const half = Math.ceil(file.length / 2);
    for (const [part, bytes] of [file.subarray(0, half), file.subarray(half)].entries()) {
      const content = bytes.toString('base64');
      await tenant.operate('AddStatementPart', { id, part, content }, actor);
    }
    return id;
  }

  private async until(status: string, step: () => Promise<Statement>): Promise<Statement> {
    for (;;) {
      const statement = await step();
      if (statement.status === status) return statement;
    }
  }

  /** The dry run. */
  async read(id: string, actor?: Actor): Promise<Statement> {
    const step = async (): Promise<Statement> => await this.tenant.operate('ReadStatement', { id }, actor);
    return await this.until('READ', step);
  }

  /** Imports one that is read. */
  async importIt(id: string, actor?: Actor): Promise<Statement> {
    const step = async (): Promise<Statement> =>
      await this.tenant.operate('ImportStatement', { id, reason: 'daily' }, actor);
    return await this.until('IMPORTED', step);
  }

  /** Uploads, reads and imports a file of these rows. */
  async take(accountId: string, rows: readonly string[], actor?: Actor): Promise<Statement> {
    const id = await this.upload(accountId, rows, actor);
    await this.read(id, actor);
    return await this.importIt(id, actor);
  }

  /** Its first lines, as somebody sees them. @param asked which ones */
  async lines(id: string, asked: { readonly explained?: boolean } = {}, actor?: Actor) {
    const answer = await this.tenant.operate<{ lines: Line[] }>('BankStatement', { id, ...asked }, actor);
    return answer.lines;
  }
}

/** How many lines of each state a statement has. */
export const countsOf = ({ totals }: Statement): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { state, lines } of totals) sums[state] = (sums[state] ?? 0) + lines;
  return sums;
};
