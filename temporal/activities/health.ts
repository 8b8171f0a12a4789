import { log } from '@temporalio/activity';
import { AGENT_SILENT_MINUTES, judgeBreaker } from '../../domain/health';
import type { Database } from '../../db/client';
import { findBreakers, moveBreaker, noteSilentAgents } from '../../db/health/health';
import { metrics } from '../../runtime/metrics';

/**
 * Opens and closes channels' breakers by the results of their orders, and records silent agents. May run twice, and
 * concurrently: a breaker changes once.
 */
export async function judgeHealth(
  database: Database,
  environment: 'sandbox' | 'production',
  now: Date,
): Promise<void> {
  let open = 0;
  for (const channel of await findBreakers(database, now)) {
    const verdict = judgeBreaker(channel, channel, channel.record, now);
    if ((verdict ?? channel).breakerState !== 'HEALTHY') open++;
    if (!verdict || !(await moveBreaker(database, channel, verdict, now))) continue;
    log.warn('channel breaker moved', {
      ...{ channel: channel.channelCode, from: channel.breakerState, to: verdict.breakerState },
      reason: verdict.reason,
    });
  }
  const minutes = environment === 'production' ? AGENT_SILENT_MINUTES : 0;
  const silent = await noteSilentAgents(database, minutes, now);
  metrics.passedOver.set({ subject: 'channel' }, open);
  metrics.passedOver.set({ subject: 'account' }, silent);
}
