import { log } from '@temporalio/activity';
import type { Sealer } from '../../crypto/seal';
import type { Database } from '../../db/client';
import { countMailAttempt, endMail, findMailCase, noteMailError } from '../../db/mails';
import { metrics } from '../../metrics';
import { type Mailer, MailRefused } from '../mail/mailer';
import { mailText } from '../mail/texts';

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
const withoutSecret = (error: unknown, token: string): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(token, '***').slice(0, 500);

/** The step of `mailDelivery`. It may run twice; the worst that comes of it is the same mail twice. */
export function createMailActivities(deps: MailActivityDeps) {
  const { database, clock, sealer, mailer, consoleUrl } = deps;
  return {
    /** Sends a mail unless it is done with. @throws to be tried again */
    async sendMail(mailId: string): Promise<'SENT' | 'FAILED'> {
      const now = await clock();
      const mail = await findMailCase(database, mailId, now);
      if (!mail) return 'FAILED';
      const { event, linkId, recipient, sealedToken, status } = mail;
      if (status !== 'QUEUED') return status;
      if (!mail.live || sealedToken === null) {
        metrics.mails.inc({ event, outcome: 'failed' });
        log.warn('a mail was not sent before its link ended', { mailId, event });
        await endMail(database, mailId, 'FAILED', mail.lastError ?? 'its link has ended', now);
        return 'FAILED';
      }
      await countMailAttempt(database, mailId, now);
      const token = sealer.open(sealedToken, `operator_link:${linkId}`);
      try {
        if (!mailer) throw new Error('there is no SMTP_URL');
        const { expiresAt } = mail;
        await mailer.send({
          id: mailId,
          to: recipient,
          ...mailText(event, { consoleUrl, token, expiresAt }),
        });
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
