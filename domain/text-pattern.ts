/**
 * UNREAD: no pattern matches so far, or its report was refused. RECORDED. NO_MONEY: an operator says that it is not
 * about money.
 */
export const TEXT_STATES = ['UNREAD', 'RECORDED', 'NO_MONEY'] as const;
/** One of TEXT_STATES. */
export type TextState = (typeof TEXT_STATES)[number];
