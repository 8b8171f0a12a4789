import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { writeFileAtomically } from './files';

/** How many mails are kept. */
const KEPT = 200;
const LARGEST_BYTES = 1_000_000;

/** A mail server for sandboxes, reachable only on this machine. */
export interface MailCatcher {
  /** smtp://… */
  readonly url: string;
  close(): Promise<void>;
}

/** A caught mail, stored as one JSON file; its name says when it came. */
export interface CaughtMail {
  readonly id: string;
  readonly at: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The files that it brings. */
  readonly files?: readonly { readonly name: string; readonly content: string }[];
}

/** Accepts every mail and forwards none: each is stored as a file in this folder, the newest 200. */
export async function catchMails(folder: string): Promise<MailCatcher> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let caught = 0;
  async function keep(raw: Buffer, to: readonly string[]): Promise<void> {
    const { from, subject, text, attachments } = await PostalMime.parse(raw, {
      attachmentEncoding: 'utf8',
    });
    const at = new Date().toISOString();
    const id = `${at.replaceAll(/[^0-9]/g, '')}-${String(caught++).padStart(6, '0')}`;
    const mail: CaughtMail = {
      id,
      at,
      to,
      from: from?.address ?? '',
      subject: subject ?? '',
      text: text ?? '',
      ...(attachments.length > 0 && {
        files: attachments.map(({ filename, content }) => ({
          name: filename ?? '',
          content: typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString(),
        })),
      }),
    };
    writeFileAtomically(path.join(folder, `${id}.json`), `${JSON.stringify(mail, null, 2)}\n`);
    const files = readdirSync(folder).sort();
    for (const file of files.slice(0, Math.max(0, files.length - KEPT)))
      rmSync(path.join(folder, file), { force: true });
  }

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: LARGEST_BYTES,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        keep(Buffer.concat(chunks), to).then(
          () => {
            callback();
          },
          (error: unknown) => {
            callback(error instanceof Error ? error : new Error(String(error)));
          },
        );
      });
    },
  });
  // A client that disconnects is not our problem.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      resolve();
    });
  });
  const address = server.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}
