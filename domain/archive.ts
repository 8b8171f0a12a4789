/** Tables whose old rows may leave the database for files: they tell what happened, and nothing is decided by them. */
export const ARCHIVED_TABLES = ['order_events', 'callback_attempts', 'channel_messages'] as const;

/** A table whose old rows may leave the database. */
export type ArchivedTable = (typeof ARCHIVED_TABLES)[number];

/** Production keeps rows in the database for at least so many days: disputes of orders come within them. */
export const ARCHIVE_AFTER_AT_LEAST_DAYS = 90;

/** Workers delete channels' messages after so many days, whether or not a file holds them: they name payers. */
export const CHANNEL_MESSAGE_DAYS = 90;
/** The archive moves them so many days before, so that it may fail for some nights and lose none. */
const NIGHTS_BEFORE = 10;

/** After how many days rows of a table leave the database, if the archive is given `days`. */
export const daysOf = (table: ArchivedTable, days: number): number =>
  table === 'channel_messages' ? Math.min(days, CHANNEL_MESSAGE_DAYS - NIGHTS_BEFORE) : days;
