/*
 * The tables. Functions and triggers are in the hand-written migrations beside the generated ones.
 * No column takes its default from the database's clock, and ids are made by the application.
 * Money is numeric(20,4); times are UTC with milliseconds.
 */
export * from './account-costs';
export * from './agent-keys';
export * from './agent-texts';
export * from './alerts';
export * from './audit';
export * from './bank-accounts';
export * from './bank-debits';
export * from './bank-transfers';
export * from './banks';
export * from './billing';
export * from './books';
export * from './callbacks';
export * from './cashier';
export * from './change-requests';
export * from './channel-mappings';
export * from './channels';
export * from './day-amounts';
export * from './day-closes';
export * from './commissions';
export * from './deposits';
export * from './fee-schedules';
export * from './health';
export * from './journal-charts';
export * from './ledger';
export * from './mails';
export * from './merchants';
export * from './operator-postings';
export * from './operators';
export * from './order-events';
export * from './outbox';
export * from './payers';
export * from './payouts';
export * from './platform';
export * from './platform-events';
export * from './platform-keys';
export * from './pools';
export * from './recalls';
export * from './review-rules';
export * from './routing-rules';
export * from './secret-links';
export * from './settlement-plans';
export * from './settlements';
export * from './statements';
export * from './withdrawals';
export * from './worker-heartbeats';
