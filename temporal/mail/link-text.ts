import type { LinkMailEvent } from '../../db/mails';
import type { MailWords } from './mailer';

/** The page that a mail's link opens. The part behind # is sent to no server and appears in no log. */
const PAGES: Record<LinkMailEvent, string> = {
  tenant_owner_invite: 'invite',
  operator_password_reset: 'reset',
};

const WORDS: Record<LinkMailEvent, { readonly subject: string; readonly lines: readonly string[] }> = {
  tenant_owner_invite: {
    subject: 'You are invited to Causeway',
    lines: ['You are invited to operate payments with Causeway.', 'Choose a login and a password here:'],
  },
  operator_password_reset: {
    subject: 'Reset your Causeway password',
    lines: [
      'A new password for Causeway was requested for you.',
      'Choose it here. If you did not ask for it, ignore this mail:',
    ],
  },
};

/** The text of a mail with a link. */
export function linkText(
  event: LinkMailEvent,
  { consoleUrl, token, expiresAt }: { consoleUrl: string; token: string; expiresAt: Date },
): MailWords {
  const { subject, lines } = WORDS[event];
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const link = `${consoleUrl}/${PAGES[event]}#${token}`;
  return {
    subject,
    text: [...lines, '', link, '', `The link works once, until ${until}. Do not share it.`, ''].join('\n'),
  };
}
