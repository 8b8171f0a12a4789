declare const ISSUED: unique symbol;

/**
 * The leave to take one step that moves money. Statements that move money by a person's word ask for it; only
 * issue.ts makes it, and only the graph's authority (graph/authority/warrant.ts) may import that.
 */
export interface Warrant<Step extends string = string> {
  readonly step: Step;
  readonly [ISSUED]: true;
}
