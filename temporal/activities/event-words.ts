import { balanceOf, inStatementOrder, statementCsv, statementNo } from '../../domain/billing';
import { ALERT_MEANS } from '../../domain/alert';
import { formatMoney } from '../../domain/money';
import { type LinkedSecret, maySend } from '../../domain/secret-link';
import { findSecretLink } from '../../db/merchants/secret-links';
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
  /** The mail's text, if it contains a link: made when it is sent. */
  readonly link?: (token: string, until: Date) => string;
}

/** The pages that mails link to, without a trailing slash. */
export interface LinkedPages {
  readonly consoleUrl: string;
  readonly secretPageUrl: string;
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
      files: [
        { name: `${no}.csv`, contentType: 'text/csv', content: statementCsv(no, statement, lines) },
      ],
    },
    facts: {
      statement: {
        ...{ statement_no: no, month, time_zone: timeZone, currency_code: currencyCode },
        ...{ opening, closing, postings },
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
        ...{ kind, means: ALERT_MEANS[kind], merchant_code: alert.merchantCode, about },
        raised_at: raisedAt.toISOString(),
      },
    },
  };
}

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
    link: (token, until) =>
      [
        `The ${what} of ${merchantCode ?? ''} is ready for you. Fetch it here:`,
        '',
        `${secretPageUrl}#${token}`,
        '',
        `The link works once, until ${minuteOf(until)} UTC, and a newer mail replaces it.`,
        'Nobody who runs the platform can see what it shows. Do not share it.',
        '',
      ].join('\n'),
  };
}

/**
 * The text of an event; undefined if what it reports no longer exists. Except for a link, each attempt gets the same
 * text.
 */
export async function wordsOfEvent(
  database: Database,
  delivery: DeliveryCase,
  { consoleUrl, secretPageUrl }: LinkedPages,
  now: Date,
): Promise<EventWords | undefined> {
  switch (delivery.event) {
    case 'alert_raised':
      return await wordsOfAlert(database, delivery, consoleUrl);
    case 'billing_statement_issued':
      return await wordsOfStatement(database, delivery);
    case 'tenant_owner_invite':
      return await wordsOfLink(database, delivery, secretPageUrl, now);
  }
}
