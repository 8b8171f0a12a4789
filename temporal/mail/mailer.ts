import { createTransport } from 'nodemailer';

/** What a mail says, as plain text. */
export interface MailWords {
  readonly subject: string;
  readonly text: string;
}

/** A mail to one person. */
export interface Mail extends MailWords {
  /** Names it, so that the same mail sent twice is one. */
  readonly id: string;
  readonly to: string;
}

/** Sends mails. */
export interface Mailer {
  /** @throws MailRefused where the server will never take it; anything else may be tried again */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server says that this mail will never do: no such mailbox, or the like. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** A mail server that takes longer than this is tried again, milliseconds. */
const WITHIN_MS = 20_000;

const isLoopback = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\]|::1)$/.test(host);

/** What of an error says that trying again is of no use: the recipient or the message was refused for good. */
function isForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') &&
    typeof responseCode === 'number' &&
    responseCode >= 500
  );
}

/**
 * An SMTP client.
 * @param smtpUrl `smtp://` or `smtps://`; over smtp:// a server elsewhere must offer STARTTLS
 */
export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLoopback(hostname),
    ignoreTLS: !secure && isLoopback(hostname),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: WITHIN_MS,
    greetingTimeout: WITHIN_MS,
    socketTimeout: WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, to, subject, text }) {
      try {
        // An address that is one, and not a header's worth of them.
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@causeway>`,
        });
      } catch (error) {
        if (isForGood(error))
          throw new MailRefused(error instanceof Error ? error.message : 'refused');
        throw error;
      }
    },
    close() {
      transport.close();
    },
  };
}
