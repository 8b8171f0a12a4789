/** Something in the books that does not add up, with a text that names the row. */
export interface Discrepancy {
  readonly subject: string;
  readonly problem: string;
}

/**
 * What demands one type of posting. Read as: each of `rows` demands exactly one posting of this type, with these lines,
 * and there is no other posting of the type.
 *
 * A rule is SQL of its own and shares nothing with the code that posts, so that a mistake there is found.
 */
export interface PostingRule {
  /**
   * A query of the rows whose state demands a posting now, each once:
   * - row_id: the row's id, which the posting's key ends with
   * - subject: the row in words, such as `deposit D20260102…`
   * - order_id, bank_transfer_id, currency, at: as the posting has them
   * - accounts, amounts: its lines, in any order; lines of zero are not posted
   */
  readonly rows: string;
  /** The id of the row that a posting `c` names by its key; null where it names none. The uuid in the key by default. */
  readonly rowOf?: string;
  /** The key of what `r`, one of `rows`, demands. The type and row_id by default: `deposit-credit:…`. */
  readonly key?: string;
}

/**
 * What must hold besides the postings. A query that returns violations: row_id (of the order, bank credit, merchant or
 * other row that it is about; null where it is about no single one), subject and problem, in words.
 */
export interface Check {
  readonly name: string;
  /** Whether one row can be checked alone. Checks that sum everything run only in a whole proof. */
  readonly each: boolean;
  readonly faults: string;
}
