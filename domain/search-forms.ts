/*
 * The forms in which sealed values are searched. Two values that a search takes for the same have one form; each is its
 * own form, so a search may begin with either.
 */

/** How the values of a column are compared. */
export interface SearchForm {
  /** Keeps blind indexes apart: one value has another index in each column. It never changes. */
  readonly name: string;
  /** Any text, also one that no search looks for, has a form. */
  readonly of: (value: string) => string;
}
