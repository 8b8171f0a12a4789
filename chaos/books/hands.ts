import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorClient } from '../../local/operator-client';
import type { Answer, Gateways } from '../gateways';
import { Patience } from '../patience';
import { type Fields, merchantSignature, unixSeconds } from '../signing';

const API = '/api/v1/merchant';
const ANSWERED_WITHIN_MS = 60_000;
const PAUSE_MS = 150;

/** A merchant's own client. */
export class MerchantHands {
  constructor(
    private readonly gateways: Gateways,
    private readonly apiKey: string,
  ) {}

  /** Repeats a request until it is answered below 500. */
  async ask(method: 'GET' | 'POST', path: string, fields: Fields = {}): Promise<Answer> {
    const patience = new Patience(ANSWERED_WITHIN_MS);
    for (;;) {
      const timestamp = unixSeconds();
      const answer = await this.gateways.ask(
        ...([method, API + path] as const),
        {
          'x-api-key': this.apiKey,
          'x-timestamp': timestamp,
          'x-signature': merchantSignature({ ...fields, timestamp }, this.apiKey),
        },
        method === 'POST' ? JSON.stringify(fields) : undefined,
      );
      if ((answer.status !== 0 && answer.status < 500) || patience.isOver) return answer;
      await patience.pause();
    }
  }
}

/** Messages of a busy platform: a retry is answered. */
const BUSY = /try again|is busy|not available|unavailable|fetch failed/i;

/** An operator, who retries while the platform is busy. */
export class Person {
  constructor(
    private readonly client: OperatorClient,
    private readonly count: (what: string) => void,
  ) {}

  /** Runs an operation. @throws with the platform's refusal */
  async does<Result>(name: string, variables: Readonly<Record<string, unknown>> = {}) {
    const patience = new Patience(ANSWERED_WITHIN_MS);
    for (;;) {
      try {
        return await this.client.run<Result>(name, { ...variables });
      } catch (error) {
        if (!BUSY.test((error as Error).message) || patience.isOver) throw error;
        await patience.pause();
      }
    }
  }

  /** Runs an operation with a reason and evidence, and counts it. @throws with the platform's refusal */
  async decides<Result>(name: string, variables: Readonly<Record<string, unknown>>) {
    const said = { reason: 'chaos: books', evidence: { text: 'the bank was asked' } };
    const result = await this.does<Result>(name, { ...said, ...variables });
    this.count(name);
    return result;
  }

  /** Runs an operation, and counts it. @throws with the platform's refusal */
  async takes<Result>(name: string, variables: Readonly<Record<string, unknown>>) {
    const result = await this.does<Result>(name, variables);
    this.count(name);
    return result;
  }
}

/** Polls until there is a result. @throws if there is none for a minute and a half */
export async function eventually<Found>(
  what: string,
  look: () => Promise<Found | null>,
  withinMs = 90_000,
): Promise<Found> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not come`);
    await sleep(PAUSE_MS);
  }
}
