import { createTransport } from 'nodemailer';

/** The text of a mail. */
export interface MailWords {
  readonly subject: string;
  readonly text: string;
}

/** A file that a mail brings. */
export interface MailFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: string;
}

/** A mail to one person. */
export interface Mail extends MailWords {
  /** Identifies the mail, so that recipients can recognise a repetition. */
  readonly id: string;
  readonly to: string;
  readonly files?: readonly MailFile[];
}

/** Sends mails. */
export interface Mailer {
  /** @throws MailRefused if the server will never accept it; any other failure may be retried */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server will never accept this mail: no such mailbox, for example. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** How long a mail server may take before the mail is retried, milliseconds. */
const WITHIN_MS = 20_000;

const isLoopback = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\]|::1)$/.test(host);

/** Whether an error is permanent: the server permanently refused the recipient or the message. */
function isForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
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
    async send({ id, to, subject, text, files = [] }) {
      try {
        // As an object: in a text, further headers could be injected.
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          attachments: files.map(({ name, contentType, content }) => ({
            filename: name,
            contentType,
            content,
          })),
          messageId: `<${id}@causeway>`,
        });
      } catch (error) {
        if (isForGood(error)) throw new MailRefused(error instanceof Error ? error.message : 'refused');
        throw error;
      }
    },
    close() {
      transport.close();
    },
  };
}
