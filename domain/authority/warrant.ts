declare const ISSUED: unique symbol;

/**
 * The permission for one step that moves money. SQL statements that move money on a person's decision require it; only
 * issue.ts makes it, and only the graph's authority (graph/authority/warrant.ts) may import that.
 */
export interface Warrant<Step extends string = string> {
  readonly step: Step;
  readonly [ISSUED]: true;
}
