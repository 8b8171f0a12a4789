import { hostname } from 'node:os';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Facility 13 (log audit), severity 6 (informational). */
const PRIORITY = 13 * 8 + 6;
const PATIENCE_MS = 10_000;

/** A message of RFC 5424, framed by its length (RFC 6587, RFC 5425). */
export function framed(text: string, at: Date): Buffer {
  const header = `<${PRIORITY}>1 ${at.toISOString()} ${hostname()} causeway ${process.pid} audit -`;
  const message = Buffer.from(`${header} ${text}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

/** Where a syslog server listens. @throws unless it is `tcp://host:port` or `tls://host:port` */
export function readSyslogUrl(text: string): URL {
  const url = new URL(text);
  if ((url.protocol !== 'tcp:' && url.protocol !== 'tls:') || url.port === '')
    throw new Error('must be tcp://host:port or tls://host:port');
  return url;
}

/** A connection to a syslog server, by TCP or TLS; TLS names of servers are verified. */
export class Syslog {
  private constructor(private readonly socket: Socket) {
    // A later error is seen by the next write.
    socket.on('error', () => undefined);
  }

  /**
   * @param options of TLS, beside the authorities that Node.js knows (NODE_EXTRA_CA_CERTS adds some)
   * @throws if there is no answer within ten seconds, or the server's TLS name is wrong
   */
  static async connect({ protocol, hostname: host, port }: URL, options: ConnectionOptions = {}): Promise<Syslog> {
    const secure = protocol === 'tls:';
    const socket = secure
      ? connectTls({
          ...options,
          host,
          port: Number(port),
          servername: isIP(host) ? '' : host,
        })
      : connect({ host, port: Number(port) });
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
      socket.once('error', reject);
      socket.once(secure ? 'secureConnect' : 'connect', resolve);
    });
    socket.setTimeout(0);
    return new Syslog(socket);
  }

  /** Whether the connection is open, as far as known. */
  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  /** @throws if the connection is broken */
  async send(text: string, at: Date): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.socket.write(framed(text, at), (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    await new Promise<void>((resolve) => {
      this.socket.once('close', () => {
        resolve();
      });
      this.socket.end();
      this.socket.resume();
    });
  }
}
