/** What the signature of a head of the chain over the postings is of. */
export const headText = ({ seq, hash }: { readonly seq: string; readonly hash: string }): string =>
  `ledger-head\n${seq}\n${hash}`;
