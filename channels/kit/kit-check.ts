/** One thing that a mapping was tried by. */
export interface KitCheck {
  /** Such as `answer "paid": wrong amount`. */
  readonly name: string;
  readonly passed: boolean;
  /** What came instead; empty where it passed. */
  readonly detail: string;
}
