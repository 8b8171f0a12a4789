/** What the owner of a merchant fetches by a link. */
export const LINKED_SECRETS = ['API_KEY', 'WEBHOOK_SECRET'] as const;
/** One of LINKED_SECRETS. */
export type LinkedSecret = (typeof LINKED_SECRETS)[number];

/** How long a link is good after it was sent, hours. */
export const SECRET_LINK_HOURS = 72;
/** For how long after its approval a link is sent, or sent again, days. */
export const SECRET_LINK_DAYS = 7;
/** For how long after a secret was fetched its page says whether it is used, hours. */
export const SECRET_LIGHT_HOURS = 24;

/** The dates of a link. */
export interface SecretLinkDates {
  readonly createdAt: Date;
  /** Null before it is sent. */
  readonly expiresAt: Date | null;
  /** When the secret was fetched. */
  readonly takenAt: Date | null;
}

const HOUR_MS = 3_600_000;

/** Whether a link may be sent, or sent again with another token. */
export const maySend = ({ createdAt, takenAt }: SecretLinkDates, now: Date): boolean =>
  takenAt === null && now.getTime() < createdAt.getTime() + SECRET_LINK_DAYS * 24 * HOUR_MS;

/** Until when a link that is sent now is good. */
export const goodUntil = (now: Date): Date => new Date(now.getTime() + SECRET_LINK_HOURS * HOUR_MS);

/** Whether the page of a link opens: the secret can be fetched, or was a short while ago. */
export function opens({ expiresAt, takenAt }: SecretLinkDates, now: Date): boolean {
  if (takenAt !== null) return now.getTime() < takenAt.getTime() + SECRET_LIGHT_HOURS * HOUR_MS;
  return expiresAt !== null && now < expiresAt;
}
