import type { LinkMailEvent } from '../../db/mails';
import type { MailWords } from './mailer';

/** Where a mail's link leads: behind # it is sent to no server and stands in no log. */
const PAGES: Record<LinkMailEvent, string> = {
  tenant_owner_invite: 'invite',
  operator_password_reset: 'reset',
};

const WORDS: Record<
  LinkMailEvent,
  { readonly subject: string; readonly lines: readonly string[] }
> = {
  tenant_owner_invite: {
    subject: 'You are invited to Causeway',
    lines: [
      'You are invited to run payments with Causeway.',
      'Choose a login and a password here:',
    ],
  },
  operator_password_reset: {
    subject: 'Another password for Causeway',
    lines: [
      'Somebody, we hope you, has asked for another password for Causeway.',
      'Choose it here; if it was not you, do nothing:',
    ],
  },
};

/** What a mail says that brings a link. */
export function linkText(
  event: LinkMailEvent,
  { consoleUrl, token, expiresAt }: { consoleUrl: string; token: string; expiresAt: Date },
): MailWords {
  const { subject, lines } = WORDS[event];
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const link = `${consoleUrl}/${PAGES[event]}#${token}`;
  return {
    subject,
    text: [
      ...lines,
      '',
      link,
      '',
      `The link is good once, until ${until}. Show it to nobody.`,
      '',
    ].join('\n'),
  };
}
