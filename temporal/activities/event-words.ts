import { balanceOf, inStatementOrder, statementCsv, statementNo } from '../../domain/billing';
import { ALERT_MEANS } from '../../domain/alert';
import { formatMoney } from '../../domain/money';
import { type LinkedSecret, maySend } from '../../domain/secret-link';
import { findAgentEnrolment, putEnrolmentToken } from '../../db/accounts/agent-enrolments';
import { findSecretLink, putLinkToken } from '../../db/merchants/secret-links';
import { findBillingLines, findBillingStatements } from '../../db/billing/statements';
import type { Database } from '../../db/client';
import { type DeliveryCase, findReportedAlert } from '../../db/platform-events/deliveries';
import { alertLines } from '../mail/alerts-text';
import type { MailFile, MailWords } from '../mail/mailer';

/** The text of an event. */
export interface EventWords {
  readonly mail: MailWords & { readonly files: readonly MailFile[] };
  /** The fields that a webhook has besides those of the event itself. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The link in the mail, if it contains one. */
  readonly link?: MailedLink;
}

/** A link whose token is made when its mail is sent. */
export interface MailedLink {
  /** What its token is hashed as, so that no token opens another kind of page. */
  readonly hashedAs: 'secret' | 'agent';
  readonly text: (token: string, until: Date) => string;
  /** Stores the hash of the token; the previous token becomes invalid. @returns false if the link was used */
  readonly keep: (tokenHash: string, until: Date) => Promise<boolean>;
}

/** The pages that mails link to, without a trailing slash. */
export interface LinkedPages {
  readonly consoleUrl: string;
  readonly secretPageUrl: string;
  readonly agentPageUrl: string;
}

const minuteOf = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ');

async function wordsOfStatement(
  database: Database,
  { subjectId, merchantCode }: DeliveryCase,
): Promise<EventWords | undefined> {
  const [statement] = await findBillingStatements(database, [subjectId]);
  if (!statement) return undefined;
  const lines = inStatementOrder(await findBillingLines(database, [subjectId]));
  const { currencyCode, timeZone, postings } = statement;
  const no = statementNo(merchantCode ?? '', currencyCode, statement.number);
  const month = statement.month.slice(0, 7);
  const opening = formatMoney(
    balanceOf({
      available: statement.openingAvailable,
      frozen: statement.openingFrozen,
      receivable: statement.openingReceivable,
    }),
  );
  const closing = formatMoney(
    balanceOf({
      available: statement.closingAvailable,
      frozen: statement.closingFrozen,
      receivable: statement.closingReceivable,
    }),
  );
  return {
    mail: {
      subject: `Statement ${no} for ${month}`,
      text: [
        `Your statement ${no} for ${month} (${timeZone}) is attached.`,
        '',
        `Opening balance: ${opening} ${currencyCode}`,
        `Closing balance: ${closing} ${currencyCode}`,
        `Movements: ${postings}`,
        '',
      ].join('\n'),
      files: [{ name: `${no}.csv`, contentType: 'text/csv', content: statementCsv(no, statement, lines) }],
    },
    facts: {
      statement: {
        statement_no: no,
        month,
        time_zone: timeZone,
        currency_code: currencyCode,
        opening,
        closing,
        postings,
      },
    },
  };
}

async function wordsOfAlert(
  database: Database,
  { subjectId }: DeliveryCase,
  consoleUrl: string,
): Promise<EventWords | undefined> {
  const alert = await findReportedAlert(database, subjectId);
  if (!alert) return undefined;
  const { kind, about, raisedAt } = alert;
  return {
    mail: {
      subject: `Causeway: ${ALERT_MEANS[kind]}`,
      text: [...alertLines(alert), `${consoleUrl}/alerts`, ''].join('\n'),
      files: [],
    },
    facts: {
      alert: {
        kind,
        means: ALERT_MEANS[kind],
        merchant_code: alert.merchantCode,
        about,
        raised_at: raisedAt.toISOString(),
      },
    },
  };
}

const once = (until: Date): string =>
  `The link works once, until ${minuteOf(until)} UTC, and a newer mail replaces it.`;

/** The name of what a link opens. */
const OPENS: Readonly<Record<LinkedSecret, string>> = {
  API_KEY: 'API key',
  WEBHOOK_SECRET: 'webhook secret',
};

async function wordsOfLink(
  database: Database,
  { subjectId, merchantCode }: DeliveryCase,
  secretPageUrl: string,
  now: Date,
): Promise<EventWords | undefined> {
  const found = await findSecretLink(database, subjectId);
  if (!found?.inForce || !maySend(found, now)) return undefined;
  const what = OPENS[found.kind];
  return {
    mail: { subject: `The ${what} of ${merchantCode ?? ''}`, text: '', files: [] },
    facts: {},
    link: {
      hashedAs: 'secret',
      text: (token, until) =>
        [
          `The ${what} of ${merchantCode ?? ''} is ready for you. Fetch it here:`,
          '',
          `${secretPageUrl}#${token}`,
          '',
          once(until),
          'Nobody who runs the platform can see what it shows. Do not share it.',
          '',
        ].join('\n'),
      keep: async (tokenHash, until) => await putLinkToken(database, subjectId, tokenHash, until),
    },
  };
}

async function wordsOfAgent(
  database: Database,
  { subjectId }: DeliveryCase,
  agentPageUrl: string,
  now: Date,
): Promise<EventWords | undefined> {
  const found = await findAgentEnrolment(database, subjectId);
  if (!found || found.revokedAt !== null || !maySend({ ...found, takenAt: found.enrolledAt }, now)) return undefined;
  return {
    mail: { subject: `Enrol the agent ${found.label}`, text: '', files: [] },
    facts: {},
    link: {
      hashedAs: 'agent',
      text: (token, until) =>
        [
          `The agent ${found.label} may report what arrives on bank accounts, once you enrol its key:`,
          '',
          `${agentPageUrl}#${token}`,
          '',
          once(until),
          'The private key stays where the agent runs: send it to nobody. Do not share this link.',
          '',
        ].join('\n'),
      keep: async (tokenHash, until) => await putEnrolmentToken(database, subjectId, tokenHash, until),
    },
  };
}

/**
 * The text of an event; undefined if what it reports no longer exists. Except for a link, each attempt gets the same
 * text.
 */
export async function wordsOfEvent(
  database: Database,
  delivery: DeliveryCase,
  { consoleUrl, secretPageUrl, agentPageUrl }: LinkedPages,
  now: Date,
): Promise<EventWords | undefined> {
  switch (delivery.event) {
    case 'alert_raised':
      return await wordsOfAlert(database, delivery, consoleUrl);
    case 'billing_statement_issued':
      return await wordsOfStatement(database, delivery);
    case 'tenant_owner_invite':
      return await wordsOfLink(database, delivery, secretPageUrl, now);
    case 'agent_invite':
      return await wordsOfAgent(database, delivery, agentPageUrl, now);
  }
}
