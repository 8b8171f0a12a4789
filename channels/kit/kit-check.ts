/** One check of a mapping. */
export interface KitCheck {
  /** Such as `answer "paid": wrong amount`. */
  readonly name: string;
  readonly passed: boolean;
  /** The actual result; empty if it passed. */
  readonly detail: string;
}
