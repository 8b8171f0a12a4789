declare const ISSUED: unique symbol;

/**
 * The permission for one step that moves money. SQL statements that move money on a person's decision require it; only
 * issue.ts makes it. Two files may import that: graph/authority/warrant.ts for a caller, and
 * steps/changes/change-warrant.ts for an approved change.
 */
export interface Warrant<Step extends string = string> {
  readonly step: Step;
  readonly [ISSUED]: true;
}
