import { CatalogueError } from '../../domain/errors';
import { normalLogin } from '../../domain/password';
import { countLinksSince, mailLink, type NewLink } from '../../db/operators/operator-links';
import { findOperatorByLogin } from '../../db/operators/operators';
import type { Needs } from '../context';
import { newLinkIds } from './operator-link';

/** The most links to reset a password that an operator is mailed in an hour. */
const RESETS_AN_HOUR = 3;

/** Longer than it takes to write a mail, milliseconds: each request for a link is answered after this time. */
export const RESET_ANSWER_MS = 400;

export const resetOf = (operatorId: string, email: string): Omit<NewLink, 'createdBy'> => ({
  ...newLinkIds(),
  purpose: 'RESET',
  email,
  operatorId,
  roles: null,
  merchantIds: null,
});

/** Mails a link to a login's address, if it has one and was not sent many within the hour. */
export async function mailReset(login: string, context: Needs<'database' | 'log' | 'now'>): Promise<void> {
  const { database, log, now } = context;
  const operator = await findOperatorByLogin(database, normalLogin(login));
  const since = new Date(now.getTime() - 3_600_000);
  if (operator?.email && (await countLinksSince(database, operator.id, since)) < RESETS_AN_HOUR) {
    const { id, email } = operator;
    await database.transaction(async (tx) => {
      await mailLink(tx, { ...resetOf(id, email), createdBy: null }, now);
    });
    log.info({ operator: operator.login }, 'password reset asked for');
  }
}

/** The same refusal for a link that was used, has expired, was revoked, or never existed. */
export const endedLink = (): CatalogueError =>
  new CatalogueError('NOT_FOUND', 'the link was already used or has ended: request another');
