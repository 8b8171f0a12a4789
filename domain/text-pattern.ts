/** UNREAD: no pattern fits so far, or what it says was refused. RECORDED. NO_MONEY: a person says that it tells of none. */
export const TEXT_STATES = ['UNREAD', 'RECORDED', 'NO_MONEY'] as const;
/** One of TEXT_STATES. */
export type TextState = (typeof TEXT_STATES)[number];
