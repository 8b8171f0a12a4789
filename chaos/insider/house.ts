import type { Sql } from 'postgres';
import type { OperatorClient } from '../../local/operator-client';

/** What an agent signs with. */
export interface AgentLogin {
  readonly keyId: string;
  readonly secret: string;
}

/** What the thefts are played with. */
export interface House {
  readonly sql: Sql;
  /** Operators who are logged in, by what they are called in INSIDERS. */
  readonly as: (who: string) => OperatorClient;
  /** Proposed by one honest person and approved by another. */
  readonly byTwo: <Result>(name: string, variables: Record<string, unknown>) => Promise<Result>;
  readonly accountId: string;
  /** An account in INR that tells payers apart by amounts, and two agents that both report on it. */
  readonly float: {
    readonly accountId: string;
    readonly agents: readonly [AgentLogin, AgentLogin];
  };
  /** The merchant that the insiders work for, and one that they steal from. */
  readonly evil: { readonly id: string; readonly apiKey: string };
  readonly victim: { readonly id: string; readonly apiKey: string };
  readonly create: (
    kind: 'deposit' | 'withdrawal',
    apiKey: string,
    fields: Record<string, string>,
  ) => Promise<{ order_no: string; amount?: string; remark?: string | null }>;
  /** A credit as an agent signs it. @returns the transfer's id, and whether it was matched */
  readonly credit: (key: AgentLogin, fields: Record<string, unknown>) => Promise<string>;
  readonly agent: AgentLogin;
}

/** What one person may do alone before a second is asked: amounts of THB, and approvals. */
export interface Allowance {
  readonly amount: number;
  readonly approvals: number;
}
