/*
 * What each sealed personal value is bound to: it opens nowhere else. A row that is replaced keeps its name here, and a
 * copy of a value has the name of the first.
 */

/** The picture of a payment claim: an order has one claim, which a later one replaces. */
export const receiptOf = (depositId: string): string => `receipt:${depositId}`;

/** A merchant's answers to one callback. */
export const answerTo = (notificationId: string): string => `callback_answer:${notificationId}`;
