import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../db/client';

/** A merchant's server that acknowledges everything, and reports the order of each callback. */
export class CallbackReceiver {
  private readonly waiting = new Map<string, () => void>();
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<CallbackReceiver> {
    let self: CallbackReceiver | undefined = undefined;
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        response.end();
        self?.arrived((JSON.parse(text) as { order_no: string }).order_no);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    self = new CallbackReceiver(server, `http://127.0.0.1:${port}/callbacks`);
    return self;
  }

  private arrived(orderNo: string): void {
    this.waiting.get(orderNo)?.();
    this.waiting.delete(orderNo);
  }

  /** It comes with the order's callback. */
  async callbackOf(orderNo: string): Promise<void> {
    await new Promise<void>((resolve) => this.waiting.set(orderNo, resolve));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Makes a seeded order's callback due now. */
export async function wakeCallback({ sql }: Database, notificationId: string): Promise<void> {
  const now = new Date();
  await sql`
    update notification_logs n set next_attempt_at = ${now} where id = ${notificationId}
    returning wake_callback(n, ${now})`;
}
