/** How to read messages of a bank. */
export interface TextPattern {
  readonly sender: string | null;
  readonly direction: 'CREDIT' | 'DEBIT';
  /** A regular expression of RE2, of bounded size: its time is in proportion to it and to the text (re2.ts). */
  readonly pattern: string;
  readonly timeFormat: string | null;
  readonly decimalSign: '.' | ',';
  readonly yearsAhead: number;
}
