import { ApplicationFailure, Context, log } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { type CallbackAnswer, type CallbackVerdict, verdict } from '../../domain/callback-verdict';
import { type DeliveryStatus, EVENT_ATTEMPTS, waitAfterAttempt } from '../../domain/platform-event';
import { goodUntil } from '../../domain/secret-link';
import { hmacSha256 } from '../../crypto/hmac';
import type { Lookup } from '../../crypto/lookup';
import type { Sealer } from '../../crypto/seal';
import { newLinkToken } from '../../crypto/tokens';
import type { Database } from '../../db/client';
import * as db from '../../db/platform-events/deliveries';
import { metrics } from '../../runtime/metrics';
import type { CallbackSender } from '../http/callback-sender';
import { type Mailer, MailRefused } from '../mail/mailer';
import { CLOCK_TOLERANCE_MS } from './due';
import { type EventWords, wordsOfEvent } from './event-words';

/** The dependencies of deliveries. */
export interface PlatformEventActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  readonly sealer: Sealer;
  /** Hashes the tokens of links. */
  readonly lookup: Lookup;
  readonly sender: CallbackSender;
  /** Null without a mail server: attempts at mails fail. */
  readonly mailer: Mailer | null;
  /** The console's address for links, without a trailing slash. */
  readonly consoleUrl: string;
  /** The page that a link to a secret opens. */
  readonly secretPageUrl: string;
  /** The page that a link to enrol an agent opens. */
  readonly agentPageUrl: string;
  /** Only a sandbox sends to http and loopback, whatever the addresses allow. */
  readonly environment: 'sandbox' | 'production';
}

/** How long a receiver may take, milliseconds. */
const WEBHOOK_MS = 10_000;
const CONNECT_MS = 4_000;
/** An attempt lasts no longer, seconds; then another worker may make the next. */
const LEASE_SECONDS = 90;
const HEARTBEAT_MS = 5_000;

/** The outcome of one request or mail. */
interface Outcome {
  readonly verdict: CallbackVerdict;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}

const NO_ANSWER = { responseStatus: null, responseBody: null } as const;

/** Temporal makes the next attempt. The SDK counts no error. */
const notYet = (type: string, message: string, waitSeconds: number): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: waitSeconds * 1000,
    category: ApplicationFailureCategory.BENIGN,
  });

const later = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000);

function outcomeOfAnswer(answer: CallbackAnswer): Outcome {
  const came = verdict(answer);
  switch (answer.kind) {
    case 'answered':
      return {
        verdict: came,
        responseStatus: answer.status,
        responseBody: answer.body,
        error: came === 'SUCCESS' ? null : `HTTP ${answer.status}`,
      };
    case 'blocked':
      return { verdict: came, ...NO_ANSWER, error: `target refused: ${answer.reason}` };
    case 'unreachable':
      return { verdict: came, ...NO_ANSWER, error: `${answer.reason}: ${answer.detail}` };
  }
}

/** The steps of `platformEventDelivery`. Each may run twice; at worst an event is delivered twice. */
export function createPlatformEventActivities(deps: PlatformEventActivityDeps) {
  const { database, clock, sealer, sender, mailer } = deps;

  /** The text of the mail. Makes a link's token, which is valid only until the next attempt. */
  async function writtenMail({ mail: words, link }: EventWords, token: string, now: Date): Promise<EventWords['mail']> {
    if (!link) return words;
    const until = goodUntil(now);
    if (!(await link.keep(deps.lookup(`${link.hashedAs}:${token}`), until)))
      throw new MailRefused('the link was used meanwhile');
    return { ...words, text: link.text(token, until) };
  }

  async function mail(delivery: db.DeliveryCase, words: EventWords, now: Date): Promise<Outcome> {
    const token = newLinkToken();
    try {
      if (!mailer) throw new Error('SMTP_URL is not set');
      const written = await writtenMail(words, token, now);
      await mailer.send({ id: delivery.id, to: delivery.target, ...written });
      return { verdict: 'SUCCESS', ...NO_ANSWER, error: null };
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return {
        verdict: error instanceof MailRefused ? 'FAILED' : 'RETRY',
        ...NO_ANSWER,
        // Mail servers quote what they refuse.
        error: said.replaceAll(token, '***').slice(0, 500),
      };
    }
  }

  async function post(delivery: db.DeliveryCase, words: EventWords, now: Date): Promise<Outcome> {
    const { eventId, event, merchantCode, raisedAt, sealedSecret, secretId } = delivery;
    const secret = sealer.open(sealedSecret ?? '', `event_addresses:${secretId ?? ''}`);
    const body = JSON.stringify({
      event,
      event_id: eventId,
      merchant_code: merchantCode,
      created_at: raisedAt.toISOString(),
      ...words.facts,
    });
    const timestamp = Math.floor(now.getTime() / 1000).toString();
    const { cancellationSignal: stopping } = Context.current();
    try {
      const answer = await sender.post(
        {
          url: delivery.target,
          headers: {
            'content-type': 'application/json',
            'x-event-id': eventId,
            'x-timestamp': timestamp,
            'x-signature': hmacSha256(secret, `${timestamp}.${body}`),
          },
          body,
          timeoutMs: WEBHOOK_MS,
          connectMs: CONNECT_MS,
          notice: true,
          policy: {
            allowInsecure: delivery.allowInsecure && deps.environment === 'sandbox',
            allowedHosts: null,
            verifyTls: true,
          },
        },
        stopping,
      );
      return outcomeOfAnswer(answer);
    } catch (error) {
      if (!stopping.aborted) throw error;
      return { verdict: 'RETRY', ...NO_ANSWER, error: 'network: our worker stopped' };
    }
  }

  /** Makes a claimed attempt, with heartbeats. */
  async function send(delivery: db.DeliveryCase, words: EventWords, now: Date): Promise<Outcome> {
    const { heartbeat } = Context.current();
    const beating = setInterval(() => {
      heartbeat();
    }, HEARTBEAT_MS);
    try {
      return delivery.kind === 'MAIL' ? await mail(delivery, words, now) : await post(delivery, words, now);
    } finally {
      clearInterval(beating);
    }
  }

  /** Why a delivery ends before another attempt; null: it continues. */
  const endOf = (delivery: db.DeliveryCase, words: EventWords | undefined): string | null => {
    if (!delivery.addressed) return 'the address no longer receives this event';
    if (delivery.attemptCount >= EVENT_ATTEMPTS[delivery.kind]) return 'attempt interrupted';
    return words === undefined ? 'what it reports no longer exists' : null;
  };

  return {
    /** The deliveries of an event that are not final. */
    async openDeliveries(eventId: string): Promise<string[]> {
      return await db.findOpenDeliveries(database, eventId);
    },

    /**
     * Makes the next attempt at a delivery, unless it is final. The attempt is counted before anything is sent.
     * @returns the final status
     * @throws a retryable failure while it is not final: Temporal runs the activity again when the next one is due
     */
    async attemptDelivery(id: string): Promise<DeliveryStatus> {
      const delivery = await db.findDeliveryCase(database, id);
      if (!delivery) throw ApplicationFailure.nonRetryable(`delivery ${id} does not exist`);
      const { event, kind, status: stands } = delivery;
      if (stands === 'SUCCESS' || stands === 'FAILED') return stands;

      const now = await clock();
      const dueBy = new Date(now.getTime() + CLOCK_TOLERANCE_MS);
      const words = await wordsOfEvent(database, delivery, deps, now);
      const end = endOf(delivery, words);
      if (end !== null || words === undefined) {
        if (await db.failDelivery(database, delivery, end ?? '', dueBy, now)) return 'FAILED';
        throw notYet('AttemptUnderWay', 'an attempt is still under way', waitAfterAttempt(kind, 1));
      }
      const claim = await db.claimDelivery(database, delivery, later(now, LEASE_SECONDS), dueBy, now);
      if (!claim) throw notYet('AttemptUnderWay', 'another attempt is under way', waitAfterAttempt(kind, 1));

      const came = await send(delivery, words, now);
      const ended = await clock();
      const again = came.verdict === 'RETRY' && claim.attempt < EVENT_ATTEMPTS[kind];
      const wait = waitAfterAttempt(kind, claim.attempt);
      const status = again ? 'WAITING_RETRY' : came.verdict === 'SUCCESS' ? 'SUCCESS' : 'FAILED';
      await db.recordDelivery(database, {
        deliveryId: id,
        ...claim,
        status,
        now: ended,
        responseStatus: came.responseStatus,
        responseBody: came.responseBody,
        error: came.error,
        nextAttemptAt: again ? later(ended, wait) : null,
      });
      const outcome = again ? 'retried' : status === 'SUCCESS' ? 'delivered' : 'failed';
      metrics.eventAttempts.inc({ event, kind, outcome });
      log.info('event attempted', { deliveryId: id, event, kind, attempt: claim.attempt, outcome });
      if (!again) return status;
      const most = EVENT_ATTEMPTS[kind];
      throw notYet('EventNotTaken', `attempt ${claim.attempt} of ${most}`, wait);
    },
  };
}

/** The steps as the workflow sees them. */
export type PlatformEventActivities = ReturnType<typeof createPlatformEventActivities>;
