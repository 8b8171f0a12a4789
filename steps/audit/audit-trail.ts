import type { Plain } from '../../domain/change-request';

/** The audit log's data of an action beside actor, time and origin. The caller masks secrets. */
export interface AuditNote {
  /** Such as `merchant:{id}`. */
  readonly subject?: string | null;
  readonly reason?: string | null;
  readonly before?: Plain;
  readonly after?: Plain;
  /** The operator, if the request's actor is anonymous: at a login. */
  readonly operator?: { readonly id: string; readonly login: string } | null;
  /** The change request that the action applies, unless it only closes. */
  readonly applied?: {
    readonly changeId: string;
    /** Its row in the authority table. */
    readonly step: string;
    readonly merchantId: string | null;
  };
}

/** The audit entries of one request. Its mutations run one after another. */
export class AuditTrail {
  /** The running mutation. */
  action: string | null = null;
  /** What is known of it so far, in case it fails. */
  note: AuditNote = {};
  /** Its row was written in the transaction of its change. */
  written = false;

  start(action: string): void {
    this.action = action;
    this.note = {};
    this.written = false;
  }
}
