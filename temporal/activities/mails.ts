import { log } from '@temporalio/activity';
import { linkToHash, newLinkToken } from '../../crypto/tokens';
import type { Database } from '../../db/client';
import {
  countMailAttempt,
  endMail,
  findMailCase,
  findMailedAlerts,
  type MailCase,
  noteMailError,
} from '../../db/mails';
import { putOperatorLinkToken } from '../../db/operators/operator-links';
import { metrics } from '../../runtime/metrics';
import { alertsText, ALERTS_IN_A_MAIL } from '../mail/alerts-text';
import { linkText } from '../mail/link-text';
import { type Mailer, MailRefused, type MailWords } from '../mail/mailer';

/** The dependencies of mails. */
export interface MailActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  readonly lookup: (secret: string) => string;
  /** Null without a mail server: mails wait. */
  readonly mailer: Mailer | null;
  /** The console's address for links, without a trailing slash. */
  readonly consoleUrl: string;
}

/** Mail servers quote what they refuse: removes the link's secret, so that it reaches neither our logs nor rows. */
const withoutSecret = (error: unknown, token: string | null): string => {
  const said = error instanceof Error ? error.message : String(error);
  return (token === null ? said : said.replaceAll(token, '***')).slice(0, 500);
};

/** The step of `mailDelivery`. It may run twice; at worst a mail is sent twice. */
export function createMailActivities(deps: MailActivityDeps) {
  const { database, clock, lookup, mailer, consoleUrl } = deps;

  /**
   * A new secret for the link in a mail; those of earlier attempts become invalid. Null for a mail without a link.
   * @returns undefined if the link has ended
   */
  async function newTokenOf({ linkId }: MailCase): Promise<string | null | undefined> {
    if (linkId === null) return null;
    const token = newLinkToken();
    const hash = lookup(linkToHash(token));
    return (await putOperatorLinkToken(database, linkId, hash)) ? token : undefined;
  }

  async function wordsOf(mail: MailCase, token: string | null): Promise<MailWords> {
    if (mail.event !== 'alerts')
      return linkText(mail.event, { consoleUrl, token: token ?? '', expiresAt: mail.expiresAt });
    const alerts = await findMailedAlerts(database, mail, ALERTS_IN_A_MAIL);
    if (alerts.count === 0) throw new MailRefused('no alert is left to report');
    return alertsText(alerts, consoleUrl);
  }

  return {
    /**
     * Sends a mail unless it is final.
     * @throws to be retried
     */
    async sendMail(mailId: string): Promise<'SENT' | 'FAILED'> {
      const now = await clock();
      const mail = await findMailCase(database, mailId, now);
      if (!mail) return 'FAILED';
      const { event, recipient, status } = mail;
      if (status !== 'QUEUED') return status;
      const token = mail.live ? await newTokenOf(mail) : undefined;
      if (token === undefined) {
        metrics.mails.inc({ event, outcome: 'failed' });
        log.warn('mail not sent before its link ended', { mailId, event });
        await endMail(database, mailId, 'FAILED', mail.lastError ?? 'the link has ended', now);
        return 'FAILED';
      }
      await countMailAttempt(database, mailId, now);
      try {
        if (!mailer) throw new Error('SMTP_URL is not set');
        await mailer.send({ id: mailId, to: recipient, ...(await wordsOf(mail, token)) });
      } catch (error) {
        const why = withoutSecret(error, token);
        if (error instanceof MailRefused) {
          metrics.mails.inc({ event, outcome: 'failed' });
          log.warn('mail permanently refused', { mailId, event });
          await endMail(database, mailId, 'FAILED', why, now);
          return 'FAILED';
        }
        metrics.mails.inc({ event, outcome: 'retried' });
        await noteMailError(database, mailId, why, now);
        throw new Error(why, { cause: undefined });
      }
      await endMail(database, mailId, 'SENT', null, await clock());
      metrics.mails.inc({ event, outcome: 'sent' });
      log.info('mail sent', { mailId, event });
      return 'SENT';
    },
  };
}

/** The steps as the workflows see them. */
export type MailActivities = ReturnType<typeof createMailActivities>;
