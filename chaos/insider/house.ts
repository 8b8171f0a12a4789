import type { Sql } from 'postgres';
import type { OperatorClient } from '../../local/operator-client';

/** What the thefts are played with. */
export interface House {
  readonly sql: Sql;
  /** Operators who are logged in, by what they are called in INSIDERS. */
  readonly as: (who: string) => OperatorClient;
  /** Proposed by one honest person and approved by another. */
  readonly byTwo: <Result>(name: string, variables: Record<string, unknown>) => Promise<Result>;
  readonly accountId: string;
  /** The merchant that the insiders work for, and one that they steal from. */
  readonly evil: { readonly id: string; readonly apiKey: string };
  readonly victim: { readonly id: string; readonly apiKey: string };
  readonly create: (
    kind: 'deposit' | 'withdrawal',
    apiKey: string,
    fields: Record<string, string>,
  ) => Promise<{ order_no: string; remark?: string | null }>;
  /** A credit as an agent signs it. @returns the transfer's id, and whether it was matched */
  readonly credit: (
    key: { readonly keyId: string; readonly secret: string },
    fields: Record<string, unknown>,
  ) => Promise<string>;
  readonly agent: { readonly keyId: string; readonly secret: string };
}

/** What one person may do alone before a second is asked: amounts of THB, and approvals. */
export interface Allowance {
  readonly amount: number;
  readonly approvals: number;
}
