/** The text that is signed for a head of the chain over the postings. */
export const headText = ({ seq, hash }: { readonly seq: string; readonly hash: string }): string =>
  `ledger-head\n${seq}\n${hash}`;
