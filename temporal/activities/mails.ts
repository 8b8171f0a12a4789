import { log } from '@temporalio/activity';
import type { Sealer } from '../../crypto/seal';
import type { Database } from '../../db/client';
import {
  countMailAttempt,
  endMail,
  findMailCase,
  findMailedAlerts,
  type MailCase,
  noteMailError,
} from '../../db/mails';
import { metrics } from '../../runtime/metrics';
import { alertsText, ALERTS_IN_A_MAIL } from '../mail/alerts-text';
import { linkText } from '../mail/link-text';
import { type Mailer, MailRefused, type MailWords } from '../mail/mailer';

/** What mails stand on. */
export interface MailActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  readonly sealer: Sealer;
  /** Null where there is no mail server: mails wait. */
  readonly mailer: Mailer | null;
  /** Where links lead, without a slash at its end. */
  readonly consoleUrl: string;
}

/** Servers quote what they refuse: the link's secret must not come back by that way. */
const withoutSecret = (error: unknown, token: string | null): string => {
  const said = error instanceof Error ? error.message : String(error);
  return (token === null ? said : said.replaceAll(token, '***')).slice(0, 500);
};

/** The step of `mailDelivery`. It may run twice; the worst that comes of it is the same mail twice. */
export function createMailActivities(deps: MailActivityDeps) {
  const { database, clock, sealer, mailer, consoleUrl } = deps;

  /** The secret of the link that a mail brings; null where it brings none. @returns undefined if it is gone */
  function tokenOf({ linkId, sealedToken }: MailCase): string | null | undefined {
    if (linkId === null) return null;
    return sealedToken === null ? undefined : sealer.open(sealedToken, `operator_link:${linkId}`);
  }

  async function wordsOf(mail: MailCase, token: string | null): Promise<MailWords> {
    if (mail.event !== 'alerts')
      return linkText(mail.event, { consoleUrl, token: token ?? '', expiresAt: mail.expiresAt });
    const told = await findMailedAlerts(database, mail, ALERTS_IN_A_MAIL);
    if (told.count === 0) throw new MailRefused('there is nothing left to tell');
    return alertsText(told, consoleUrl);
  }

  return {
    /** Sends a mail unless it is done with. @throws to be tried again */
    async sendMail(mailId: string): Promise<'SENT' | 'FAILED'> {
      const now = await clock();
      const mail = await findMailCase(database, mailId, now);
      if (!mail) return 'FAILED';
      const { event, recipient, status } = mail;
      if (status !== 'QUEUED') return status;
      const token = tokenOf(mail);
      if (!mail.live || token === undefined) {
        metrics.mails.inc({ event, outcome: 'failed' });
        log.warn('a mail was not sent before it was too late', { mailId, event });
        await endMail(database, mailId, 'FAILED', mail.lastError ?? 'too late', now);
        return 'FAILED';
      }
      await countMailAttempt(database, mailId, now);
      try {
        if (!mailer) throw new Error('there is no SMTP_URL');
        await mailer.send({ id: mailId, to: recipient, ...(await wordsOf(mail, token)) });
      } catch (error) {
        const why = withoutSecret(error, token);
        if (error instanceof MailRefused) {
          metrics.mails.inc({ event, outcome: 'failed' });
          log.warn('a mail was refused for good', { mailId, event });
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

/** As the workflows see them. */
export type MailActivities = ReturnType<typeof createMailActivities>;
