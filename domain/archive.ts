/** Tables whose old rows may leave the database for files: they tell what happened, and nothing is decided by them. */
export const ARCHIVED_TABLES = ['order_events', 'callback_attempts'] as const;

/** A table whose old rows may leave the database. */
export type ArchivedTable = (typeof ARCHIVED_TABLES)[number];

/** Production keeps rows in the database for at least so many days: disputes of orders come within them. */
export const ARCHIVE_AFTER_AT_LEAST_DAYS = 90;
