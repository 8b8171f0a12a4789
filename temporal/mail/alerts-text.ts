import { ALERT_MEANS } from '../../domain/alert';
import type { MailedAlert } from '../../db/mails';
import type { MailWords } from './mailer';

/** The most alerts that a mail lists; the console shows the rest. */
export const ALERTS_IN_A_MAIL = 20;

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** An alert, in lines. */
export function alertLines({ kind, merchantCode, about, raisedAt }: MailedAlert): string[] {
  const { reason, ...ids } = about;
  const named = Object.entries({ merchant: merchantCode, ...ids })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${String(value)}`);
  return [
    `${minute(raisedAt)}  ${kind}: ${ALERT_MEANS[kind]}`,
    ...(named.length > 0 ? [`  ${named.join(', ')}`] : []),
    ...(reason ? [`  ${reason}`] : []),
    '',
  ];
}

/** The text of a mail about alerts; its subject names the first. */
export function alertsText(
  { alerts, count }: { readonly alerts: readonly MailedAlert[]; readonly count: number },
  consoleUrl: string,
): MailWords {
  const [first] = alerts;
  const rest = count - alerts.length;
  return {
    subject: count === 1 && first ? `Causeway: ${ALERT_MEANS[first.kind]}` : `Causeway: ${count} alerts`,
    text: [
      ...alerts.flatMap(alertLines),
      ...(rest > 0 ? [`and ${rest} more`, ''] : []),
      `${consoleUrl}/alerts`,
      '',
      'You receive these mails because you asked for alerts. You can switch them off on the alerts page.',
      '',
    ].join('\n'),
  };
}
