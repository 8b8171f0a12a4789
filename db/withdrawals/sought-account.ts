/** A beneficiary's account, as the withdrawals to it are found. */
export interface SoughtAccount {
  /** In clear, as in rows from before accounts were sealed, and of settlements. */
  readonly account: string;
  /** Its blind index under each key of the ring. */
  readonly indexes: readonly string[];
}
