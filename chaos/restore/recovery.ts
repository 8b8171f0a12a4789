import type { OperatorClient } from '../../local/operator-client';
import { until } from '../until';

const REASON = 'chaos campaign';
const PAGE = 200;

interface State {
  readonly begunAt: string;
  readonly endedAt: string | null;
  /** Why it cannot end yet; null: it can. */
  readonly problem: string | null;
}

interface Page {
  readonly nodes: readonly { readonly kind: string; readonly subject: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** What an operator does on the page Recovery, through GraphQL only. */
export class RecoveryDesk {
  constructor(private readonly operator: OperatorClient) {}

  /** Waits until the platform notices by itself that its database was restored. */
  async begins(withinMs: number): Promise<boolean> {
    return await until(async () => (await this.state())?.endedAt === null, withinMs);
  }

  /** Waits until every channel was queried for everything. */
  async isAsked(withinMs: number): Promise<boolean> {
    return await until(async () => {
      const state = await this.state();
      return state !== null && state.problem === null;
    }, withinMs);
  }

  /** A number that was answered 201 and is unknown since. */
  async enterLost(merchantId: string, merchantOrderNo: string): Promise<void> {
    await this.operator.run('RecordLostNumber', { merchantId, merchantOrderNo, reason: REASON });
  }

  /** The subjects of the findings, as `KIND subject`. */
  async findings(): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | null = null; ;) {
      const { nodes, pageInfo }: Page = await this.operator.run('RecoveryFindings', {
        first: PAGE,
        after,
      });
      found.push(...nodes.map(({ kind, subject }) => `${kind} ${subject}`));
      if (!pageInfo.hasNextPage) return found;
      after = pageInfo.endCursor;
    }
  }

  async end(): Promise<void> {
    await this.operator.run('EndRecovery', { reason: REASON });
  }

  private async state(): Promise<State | null> {
    // While PostgreSQL starts, no request is answered.
    return await this.operator.run<State | null>('RecoveryState').catch(() => null);
  }
}
