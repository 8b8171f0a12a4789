import { type Faults, meets } from './faults';
import { type SharedKey, signWebhook } from './signing';

/** Delays after which an unacknowledged webhook is sent again, milliseconds. */
const AGAIN_AFTER_MS = [500, 2_000, 5_000];

/** What a webhook reports: how a payout or a deposit stands. */
export interface Report {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly channelOrderNo: string;
  readonly state: string;
  readonly reason: string | null;
}

interface Message {
  readonly body: string;
  readonly id: string;
}

/** Reports the outcome of payouts and deposits to the client: late, twice, out of order or not at all, as the faults demand. */
export class Webhooks {
  /** Forged webhooks that the client took for real. */
  forgeriesTaken = 0;
  private sent = 0;
  private held: Message | null = null;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly key: SharedKey,
    private readonly settings: () => { readonly url: string | null; readonly faults: Faults },
  ) {}

  tell(payment: Report): void {
    const { url, faults } = this.settings();
    if (url === null || meets(faults, 'silentRate', payment.reference)) return;
    const id = `${payment.channelOrderNo}-${++this.sent}`;
    const { reference, amount, currency, channelOrderNo, state, reason } = payment;
    const report = { message_id: id, reference, status: state, amount, currency, reason };
    const message = { id, body: JSON.stringify({ ...report, channel_order_no: channelOrderNo }) };
    if (this.held === null && meets(faults, 'reorderRate', id)) {
      this.held = message;
      return;
    }
    const late = this.held;
    this.held = null;
    if (meets(faults, 'forgedRate', id)) this.forge(url, payment);
    for (const one of late ? [message, late] : [message]) {
      this.post(url, one, 0);
      if (meets(faults, 'duplicateRate', one.id)) this.post(url, one, 0);
    }
  }

  /** Somebody who does not know the key reports that it is paid. */
  private forge(url: string, { reference, amount, currency }: Report): void {
    const report = { message_id: `forged-${++this.sent}`, reference, status: 'completed' };
    const body = JSON.stringify({ ...report, amount, currency });
    const key = { ...this.key, secret: `not ${this.key.secret}` };
    fetch(url, { method: 'POST', headers: signWebhook(key, body), body }).then(
      (answer) => {
        if (answer.ok) this.forgeriesTaken++;
      },
      () => undefined,
    );
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private post(url: string, message: Message, attempt: number): void {
    const again = (): void => {
      const wait = AGAIN_AFTER_MS[attempt];
      if (wait === undefined) return;
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        this.post(url, message, attempt + 1);
      }, wait);
      this.timers.add(timer);
    };
    fetch(url, {
      method: 'POST',
      headers: signWebhook(this.key, message.body),
      body: message.body,
      signal: AbortSignal.timeout(5_000),
    }).then((answer) => {
      if (!answer.ok) again();
    }, again);
  }
}
