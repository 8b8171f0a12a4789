import { log } from '@temporalio/activity';
import { isSoundKeyText } from '../../crypto/ed25519';
import { AGENT_SILENT_MINUTES, judgeBreaker } from '../../domain/health';
import { findPublicAgentKeys } from '../../db/accounts/agent-keys';
import { raiseAlert } from '../../db/alerts/alerts';
import type { Database } from '../../db/client';
import { findBreakers, moveBreaker, noteSilentAgents } from '../../db/health/health';
import { metrics } from '../../runtime/metrics';

/** Raises an alert, once, for each agent with a key that an older release took and this one refuses. */
async function tellWeakKeys(database: Database, now: Date): Promise<void> {
  for (const { publicKey, ...about } of await findPublicAgentKeys(database))
    if (!isSoundKeyText(publicKey))
      await raiseAlert(database, { kind: 'WEAK_AGENT_KEY', key: `weak-agent-key:${about.id}`, about }, now);
}

/**
 * Opens and closes channels' breakers by the results of their orders, and records silent agents and weak keys. May run
 * twice, and concurrently: a breaker changes once.
 */
export async function judgeHealth(database: Database, environment: 'sandbox' | 'production', now: Date): Promise<void> {
  let open = 0;
  for (const channel of await findBreakers(database, now)) {
    const verdict = judgeBreaker(channel, channel, channel.record, now);
    if ((verdict ?? channel).breakerState !== 'HEALTHY') open++;
    if (!verdict || !(await moveBreaker(database, channel, verdict, now))) continue;
    log.warn('channel breaker moved', {
      channel: channel.channelCode,
      from: channel.breakerState,
      to: verdict.breakerState,
      reason: verdict.reason,
    });
  }
  await tellWeakKeys(database, now);
  const minutes = environment === 'production' ? AGENT_SILENT_MINUTES : 0;
  const silent = await noteSilentAgents(database, minutes, now);
  metrics.passedOver.set({ subject: 'channel' }, open);
  metrics.passedOver.set({ subject: 'account' }, silent);
}
