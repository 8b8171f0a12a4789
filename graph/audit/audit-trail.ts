import type { Plain } from '../../domain/change-request';

/** The audit log's data of an action beside actor, time and origin. The caller masks secrets. */
export interface AuditNote {
  /** Such as `merchant:{id}`. */
  readonly subject?: string | null;
  readonly reason?: string | null;
  readonly before?: Plain;
  readonly after?: Plain;
  /** The operator, where the request's actor is anonymous: at a login. */
  readonly operator?: { readonly id: string; readonly login: string } | null;
  /** The change request that takes effect with it, unless it only closes. */
  readonly applied?: {
    readonly changeId: string;
    /** Its step in the table of authority. */
    readonly step: string;
    readonly merchantId: string | null;
  };
}

/** What one request leaves in the audit log. Its mutations run one after another. */
export class AuditTrail {
  /** The mutation that runs. */
  action: string | null = null;
  /** What is known of it so far, for the case that it fails. */
  note: AuditNote = {};
  /** Its row is in the transaction of its change. */
  written = false;

  start(action: string): void {
    this.action = action;
    this.note = {};
    this.written = false;
  }
}
