import type { Sql } from 'postgres';
import type { OperatorClient } from '../../local/operator-client';
import type { AgentLogin } from './agents';

/** Everything that the thefts use. */
export interface House {
  readonly sql: Sql;
  /** Operators who are logged in, by their names in INSIDERS. */
  readonly as: (who: string) => OperatorClient;
  /** A change that one honest person proposes and another approves. */
  readonly byTwo: <Result>(name: string, variables: Record<string, unknown>) => Promise<Result>;
  /** Enrols an agent by the link that its owner was mailed; a failure throws. */
  readonly enrol: (ownerEmail: string, publicKey: string) => Promise<void>;
  /** The token of the link that an agent's owner was mailed. */
  readonly linkOf: (ownerEmail: string) => Promise<string>;
  /** The public listener. */
  readonly gateway: string;
  readonly accountId: string;
  /** An account in INR that identifies payments by amounts, and two agents that both report on it. */
  readonly float: {
    readonly accountId: string;
    readonly agents: readonly [AgentLogin, AgentLogin];
  };
  /** The merchant for which the insiders work, and one from which they steal. */
  readonly evil: { readonly id: string; readonly apiKey: string; readonly usedToken: string };
  readonly victim: { readonly id: string; readonly apiKey: string };
  readonly create: (
    kind: 'deposit' | 'deposit/cashier' | 'withdrawal',
    apiKey: string,
    fields: Record<string, string>,
  ) => Promise<{
    order_no: string;
    amount?: string;
    remark?: string | null;
    cashier_token?: string;
  }>;
  /** A credit as an agent reports it. @returns the bank credit's id, and whether it was matched */
  readonly credit: (key: AgentLogin, fields: Record<string, unknown>) => Promise<string>;
  readonly agent: AgentLogin;
}

/** What one person may do alone before a second person is required: amounts of THB, and approvals. */
export interface Allowance {
  readonly amount: number;
  readonly approvals: number;
}
