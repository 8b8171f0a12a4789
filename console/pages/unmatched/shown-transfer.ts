import type { BankTransferQuery } from '../../generated/operations';

/** A bank credit as its pane shows it. */
export type Transfer = NonNullable<BankTransferQuery['bankTransfer']>;
