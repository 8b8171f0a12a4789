import { createChannels, type OpenChannel } from '../channels';
import { addressBehind } from '../runtime/client-address';
import type { Config } from '../config';
import { createCashierTokens } from '../crypto/cashier-token';
import { createLookup } from '../crypto/lookup';
import { createSealer } from '../crypto/seal';
import { createGraph, type Graph } from '../graph';
import { consoleSite } from '../graph/browser';
import { EventHub } from '../graph/events/event-hub';
import type { DecisionDesk } from '../temporal/decision-desk';
import { type CallbackSender, createCallbackSender } from '../temporal/http/callback-sender';
import type { Role } from './role';

export const openSender = (config: Config): CallbackSender =>
  createCallbackSender({ webhookSslVerify: config.webhookSslVerify });

/** A provider's answer may hold a picture of a QR code. */
const CHANNEL_ANSWER_BYTES = 64 * 1024;

/** Requests to channels may go to the same addresses as callbacks: public addresses, and in a sandbox loopback. */
export function openChannels(
  { config, clock }: Pick<Role, 'config' | 'clock'>,
  sender: CallbackSender,
): OpenChannel {
  const policy = { allowInsecure: config.environment === 'sandbox', allowedHosts: null };
  const keepBytes = CHANNEL_ANSWER_BYTES;
  return createChannels({
    environment: config.environment,
    sealer: createSealer(config.encryptionKey),
    clock: clock.now,
    post: async (request, signal) => await sender.post({ ...request, policy, keepBytes }, signal),
  });
}

/** The core of a role that serves the graph: the gateway's own operations or the operators'. */
export function openGraph(role: Role, decisions: DecisionDesk | null = null): Graph {
  const { config, log, database } = role;
  const clock = role.clock.now;
  return createGraph({
    database,
    environment: config.environment,
    clock,
    isClockOff: () => role.clock.isOff(),
    sealer: createSealer(config.encryptionKey),
    lookup: createLookup(config.lookupKey),
    cashierTokens: createCashierTokens(config.cashierTokenSecret, config.environment),
    events: new EventHub({ database, clock, log }),
    // Reads channels' messages; sends nothing.
    openChannel: openChannels(role, openSender(config)),
    log,
    temporalUi: config.temporalUi,
    sandboxMails: config.sandboxMails,
    changes: config.changes,
    decisions,
    creditAgeLimitMs: config.creditAgeLimitMs,
    addressOf: addressBehind(config.trustedProxies),
    site: consoleSite(config.consoleUrl),
  });
}
