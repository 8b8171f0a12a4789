import { type Faults, meets } from './faults';
import type { OutgoingReport, Report, Style } from './style';

/** Delays after which an unacknowledged webhook is sent again, milliseconds. */
const AGAIN_AFTER_MS = [500, 2_000, 5_000];

interface Message extends OutgoingReport {
  readonly id: string;
}

/**
 * Reports the outcome of payouts and deposits to the client: late, twice, out of order or not at all, as the faults
 * say.
 */
export class Webhooks {
  /** Forged webhooks that the client accepted. */
  forgeriesTaken = 0;
  private sent = 0;
  private held: Message | null = null;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly style: Pick<Style, 'report'>,
    private readonly settings: () => { readonly url: string | null; readonly faults: Faults },
  ) {}

  tell(kind: Report['kind'], about: Omit<Report, 'kind'>): void {
    const { url, faults } = this.settings();
    if (url === null || meets(faults, 'silentRate', about.reference)) return;
    const id = `${about.channelOrderNo}-${++this.sent}`;
    const report = { ...about, kind };
    const message = { id, ...this.style.report(report, id, false) };
    if (this.held === null && meets(faults, 'reorderRate', id)) {
      this.held = message;
      return;
    }
    const late = this.held;
    this.held = null;
    if (meets(faults, 'forgedRate', id)) this.forge(url, report);
    for (const one of late ? [message, late] : [message]) {
      this.post(url, one, 0);
      if (meets(faults, 'duplicateRate', one.id)) this.post(url, one, 0);
    }
  }

  /** A stranger without the key reports that it is paid. */
  private forge(url: string, report: Report): void {
    const id = `forged-${++this.sent}`;
    const { headers, body } = this.style.report({ ...report, state: 'completed' }, id, true);
    fetch(url, { method: 'POST', headers: headers(), body }).then(
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
      headers: message.headers(),
      body: message.body,
      signal: AbortSignal.timeout(5_000),
    }).then((answer) => {
      if (!answer.ok) again();
    }, again);
  }
}
