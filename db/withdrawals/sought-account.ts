/** A beneficiary's account, as the withdrawals to it are found. */
export interface SoughtAccount {
  /** In clear, as settlements have it. */
  readonly account: string;
  /** Its blind index under each key of the ring. */
  readonly indexes: readonly string[];
}
