import { ApplicationFailure, Context, log } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { NotificationStatus } from '../../domain/callback';
import { type CallbackAnswer, verdict } from '../../domain/callback-verdict';
import { LIMITS } from '../../domain/limits';
import { answerTo } from '../../domain/sealed-for';
import { callbackSigningString } from '../../domain/signing';
import { parseStrictObject } from '../../domain/strict-json';
import { parseUrl } from '../../domain/url';
import { signMd5 } from '../../crypto/md5';
import { openBody } from '../../crypto/callback-body';
import type { Sealer } from '../../crypto/seal';
import { findKeyBeside, findSealedKey, findSigningKey } from '../../db/merchants/api-keys';
import type { Database } from '../../db/client';
import * as db from '../../db/callbacks/callbacks';
import { failpoint } from '../../runtime/failpoints';
import { metrics } from '../../runtime/metrics';
import type { CallbackSender } from '../http/callback-sender';
import { Lanes } from '../http/lanes';
import { CLOCK_TOLERANCE_MS } from './due';

/** The dependencies of callback attempts. */
export interface CallbackActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  readonly sealer: Sealer;
  readonly sender: CallbackSender;
  /** Only a sandbox sends to http and loopback, whatever the merchant's settings allow. */
  readonly environment: 'sandbox' | 'production';
  /** Attempts that may be under way at once in this process. */
  readonly callbackSlots: number;
  /**
   * Aborted when the worker stops and its shutdown grace period is over. Temporal's SDK cancels regular activities
   * then, but waits for local ones.
   */
  readonly stopping: AbortSignal;
}

/** The headers and body of an attempt. The api key stays in memory. */
interface Credentials extends db.AttemptSignature {
  readonly apiKey: string;
}

/**
 * How long recording the outcome may take after the merchant's timeout, before another worker may make an attempt;
 * seconds.
 */
const LEASE_MARGIN_SECONDS = 10;
/** Interval of the heartbeats of an attempt under way. */
const HEARTBEAT_MS = 5_000;
/**
 * How long connecting to a merchant's server may take, milliseconds: two lost packets in a row cost 3 s. So a dead host
 * holds a slot no longer than this, even if its merchant's timeout is longer.
 */
const CONNECT_MS = 4_000;

/** The most hosts that a process caches. */
const NOTED_AT_MOST = 10_000;

const { BENIGN } = ApplicationFailureCategory;

/**
 * A failure that is not our fault: Temporal's SDK neither logs a warning nor counts it.
 * @param backAfterMs null: according to the workflow's retry policy
 */
const notYet = (type: string, message: string, backAfterMs: number | null = null): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message,
    category: BENIGN,
    ...(backAfterMs !== null && { nextRetryDelay: backAfterMs }),
  });

const later = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000);

/** The part of an answer other than 2xx that the log keeps. */
function problemOf(answer: CallbackAnswer): string | null {
  switch (answer.kind) {
    case 'answered':
      return null;
    case 'blocked':
      return `target refused: ${answer.reason}`;
    case 'unreachable':
      return `${answer.reason}: ${answer.detail}`;
  }
}

function signBody(body: string, apiKey: string): string {
  const parsed = parseStrictObject(body);
  if ('problem' in parsed) throw new Error(`a callback body is not what we wrote: ${parsed.problem}`);
  return signMd5(callbackSigningString(parsed.texts), apiKey);
}

/** The steps of the delivery of callbacks. */
export function createCallbackActivities(deps: CallbackActivityDeps) {
  const { database, clock, sealer, sender } = deps;

  /**
   * All attempts of one generation carry one signature, made at the first of them (findSigningKey). A resend keeps it
   * while its key lives.
   */
  async function credentials(row: db.NotificationCase, body: string, now: Date): Promise<Credentials | undefined> {
    const signed = row.signature !== null && row.attemptCount > 0;
    const key = signed
      ? await findSealedKey(database, row.apiKeyId)
      : await findSigningKey(database, row.merchantId, row.apiKeyId, now);
    if (!key) return undefined;
    return signedWith(key, body, row.apiKeyId === key.id ? row.signature : null);
  }

  /** @param made the key's signature of the body, if an attempt had it */
  function signedWith(
    key: { readonly id: string; readonly sealedKey: string },
    body: string,
    made: string | null,
  ): Credentials {
    const apiKey = sealer.open(key.sealedKey, `api_key:${key.id}`);
    return { apiKeyId: key.id, apiKey, signature: made ?? signBody(body, apiKey) };
  }

  async function send(
    row: db.NotificationCase,
    body: string,
    signed: Credentials,
    now: Date,
    timeoutMs: number,
  ): Promise<CallbackAnswer> {
    const { cancellationSignal, heartbeat, info } = Context.current();
    const stopping = info.isLocal ? deps.stopping : cancellationSignal;
    // A local activity has none: the SDK keeps the workflow's task alive.
    const beating = info.isLocal ? undefined : setInterval(heartbeat, HEARTBEAT_MS);
    metrics.callbackAttemptsInFlight.inc();
    try {
      await failpoint('callback.sending', row.orderNo);
      return await sender.post(
        {
          url: row.targetUrl,
          headers: {
            'content-type': 'application/json',
            'x-api-key': signed.apiKey,
            'x-timestamp': Math.floor(now.getTime() / 1000).toString(),
            'x-signature': signed.signature,
          },
          body,
          timeoutMs,
          connectMs: CONNECT_MS,
          notice: true,
          // None by default: the contract lists every header that a merchant gets.
          tracedFor: 'merchants',
          policy: {
            allowInsecure: row.allowInsecureCallbacks && deps.environment === 'sandbox',
            allowedHosts: row.callbackHosts,
            verifyTls: row.webhookSslVerify || deps.environment === 'production',
          },
        },
        stopping,
      );
    } catch (error) {
      if (!stopping.aborted) throw error;
      return { kind: 'unreachable', reason: 'network', detail: 'our worker stopped' };
    } finally {
      metrics.callbackAttemptsInFlight.dec();
      clearInterval(beating);
    }
  }

  /**
   * Sends the same bytes again, at once, if a server refuses a signature while its merchant's keys change: it may
   * check with the other key already, before the merchant's first create with it has come, or still. A server that
   * answers 401 has applied nothing (contract, "Error handling").
   * @returns null unless keys change, or no time is left
   */
  async function sendWithOtherKey(
    row: db.NotificationCase,
    body: string,
    signed: Credentials,
    claim: { readonly generation: number; readonly attempt: number },
    leftMs: number,
  ): Promise<CallbackAnswer | null> {
    const now = await clock();
    const other = leftMs > 0 ? await findKeyBeside(database, signed.apiKeyId, now) : undefined;
    if (!other) return null;
    const again = signedWith(other, body, null);
    if (!(await db.signAgain(database, row.id, claim, again, now))) return null;
    log.info('callback refused during a change of keys: sent with the other one', {
      orderNo: row.orderNo,
      attempt: claim.attempt,
    });
    return await send(row, body, again, now, leftMs);
  }

  /** The hosts that this process has recorded, each as `merchant host`: nearly all callbacks go to a known host. */
  const noted = new Set<string>();

  /** Raises an alert for a new callback host: a stolen key is noticed by the host to which it sends callbacks. */
  async function noteHost(row: db.NotificationCase, now: Date): Promise<void> {
    const host = parseUrl(row.targetUrl)?.hostname;
    if (host === undefined || noted.has(`${row.merchantId} ${host}`)) return;
    await db.noteCallbackHost(database, { ...row, host }, now);
    if (noted.size >= NOTED_AT_MOST) noted.clear();
    noted.add(`${row.merchantId} ${host}`);
  }

  const lanes = new Lanes(deps.callbackSlots);

  /**
   * Takes a slot for an attempt in the lanes of its origin and of its merchant. Both count, because a merchant may name
   * any number of origins.
   * @returns releases the slot
   * @throws a retryable failure if a lane is full: nothing is claimed or counted, and the activity's slot is released
   */
  function enterLanes(row: db.NotificationCase): () => void {
    const origin = parseUrl(row.targetUrl)?.origin;
    const names = [`merchant ${row.merchantId}`, ...(origin === undefined ? [] : [origin])];
    const entry = lanes.enter(names, row.id, row.callbackTimeoutSeconds * 1000);
    metrics.callbackAttemptsWaiting.set(lanes.waiting);
    metrics.callbackLanes.set(lanes.open);
    if (entry.entered)
      return () => {
        entry.leave();
        metrics.callbackLanes.set(lanes.open);
      };
    metrics.callbacksTurnedAway.inc();
    throw notYet('LaneFull', 'the lane of its server or merchant is full', entry.backAfterMs);
  }

  /** Claims the next attempt of a callback that is not final, makes it and records it. */
  async function attemptOpen(row: db.NotificationCase, now: Date): Promise<NotificationStatus> {
    const about = { orderNo: row.orderNo, notificationType: row.notificationType };
    const dueBy = new Date(now.getTime() + CLOCK_TOLERANCE_MS);
    const body = openBody(sealer, row.requestBody, row.merchantId);
    const signed = await credentials(row, body, now);
    if (!signed) {
      if (!(await db.awaitKey(database, row, dueBy, now)))
        throw notYet('AttemptUnderWay', 'a key came, or another attempt is under way', 1_000);
      log.warn('callback cannot be signed: it waits until the merchant has a live api key', about);
      return 'WAITING_RETRY';
    }
    // Before an attempt is counted: a failure here uses none.
    await noteHost(row, now);
    const leaseUntil = later(now, row.callbackTimeoutSeconds + LEASE_MARGIN_SECONDS);
    const claim = await db.claimAttempt(database, row, signed, leaseUntil, dueBy, now);
    if (!claim) throw notYet('AttemptUnderWay', 'another attempt is under way');

    await failpoint('callback.claimed', row.orderNo);
    const began = performance.now();
    const timeoutMs = row.callbackTimeoutSeconds * 1000;
    let answer = await send(row, body, signed, now, timeoutMs);
    if (answer.kind === 'answered' && answer.status === 401) {
      const leftMs = Math.floor(timeoutMs - (performance.now() - began));
      answer = (await sendWithOtherKey(row, body, signed, claim, leftMs)) ?? answer;
    }
    const ms = Math.round(performance.now() - began);
    await failpoint('callback.answered', row.orderNo);
    const ended = await clock();
    const outcome = verdict(answer);
    metrics.callbackAttempts.inc({ verdict: outcome });
    metrics.callbackAttemptSeconds.observe({ verdict: outcome }, ms / 1000);
    const status = await db.recordAttempt(database, {
      notificationId: row.id,
      ...claim,
      verdict: outcome,
      responseStatus: answer.kind === 'answered' ? answer.status : null,
      responseBody: answer.kind === 'answered' ? sealer.seal(answer.body, answerTo(row.id)) : null,
      error: problemOf(answer),
      nextAttemptAt: later(ended, LIMITS.callbackRetrySeconds),
      now: ended,
    });
    await failpoint('callback.recorded', row.orderNo);
    const met = answer.kind === 'answered' ? `HTTP ${answer.status}` : answer.reason;
    log.info('callback attempted', { ...about, attempt: claim.attempt, answer: met, ms, status });
    // A resend may come days later: it would distort the measured delivery time.
    if (status === 'SUCCESS' && claim.generation === 1)
      metrics.callbackDeliverySeconds.observe(Math.max(0, ended.getTime() - row.createdAt.getTime()) / 1000);
    if (status === 'SUCCESS' || status === 'FAILED') return status;
    throw notYet('CallbackNotAcknowledged', `attempt ${claim.attempt} of ${LIMITS.callbackAttempts}: ${met}`);
  }

  /**
   * Makes the next attempt at a callback, unless it is final. The attempt is counted before anything is sent.
   * @returns the callback's final status, or WAITING_RETRY if it waits until its merchant has a key
   * @throws a retryable failure while it is not final: Temporal runs the activity again after 30 s, or when a full
   * lane may have a slot
   */
  async function attemptCallback(notificationId: string): Promise<NotificationStatus> {
    const row = await db.findNotificationCase(database, notificationId);
    if (!row) throw ApplicationFailure.nonRetryable(`callback ${notificationId} does not exist`);
    if (row.status === 'SUCCESS' || row.status === 'FAILED') return row.status;

    await failpoint('callback.read', row.orderNo);
    const now = await clock();
    const dueBy = new Date(now.getTime() + CLOCK_TOLERANCE_MS);
    if (row.attemptCount >= LIMITS.callbackAttempts) {
      if (await db.failCallback(database, row, 'attempt interrupted', dueBy, now)) return 'FAILED';
      throw notYet('AttemptUnderWay', 'the fifth attempt is still under way');
    }

    if (row.attemptCount > 0 && row.nextAttemptAt !== null && row.nextAttemptAt > dueBy)
      throw notYet(
        'CallbackNotAcknowledged',
        `attempt ${row.attemptCount} of ${LIMITS.callbackAttempts}: ${row.lastError ?? `HTTP ${row.responseStatus}`}`,
        row.nextAttemptAt.getTime() - now.getTime(),
      );

    const leaveLanes = enterLanes(row);
    try {
      return await attemptOpen(row, now);
    } finally {
      leaveLanes();
    }
  }

  return {
    attemptCallback,

    /**
     * The same, as a local activity: most callbacks are acknowledged at once.
     * @returns null if more attempts must follow
     */
    async attemptCallbackAtOnce(notificationId: string): Promise<NotificationStatus | null> {
      try {
        return await attemptCallback(notificationId);
      } catch (error) {
        if (error instanceof ApplicationFailure && error.category === BENIGN) return null;
        throw error;
      }
    },
  };
}

/** The steps as the workflow sees them. */
export type CallbackActivities = ReturnType<typeof createCallbackActivities>;
