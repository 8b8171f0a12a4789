import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  armFailpoints,
  CHANNEL_DEPOSIT_FAILPOINTS,
  failpoint,
  type Failpoint,
  FAILPOINTS,
  PAYOUT_FAILPOINTS,
} from '../../runtime/failpoints';

const ROOT = path.join(__dirname, '..', '..');
const ROOMS = ['crypto', 'channels', 'db', 'temporal', 'steps', 'graph', 'gateway'];

/** Where each step is passed. Update it when a step moves. */
const PLACES: Record<Failpoint, string> = {
  'request.read': 'gateway/merchant-admission.ts',
  'request.authenticated': 'gateway/merchant-admission.ts',
  'deposit.routed': 'steps/deposits/accept-deposit.ts',
  'deposit.committing': 'steps/deposits/accept-deposit.ts',
  'deposit.committed': 'graph/deposits/deposit.ts',
  'deposit.answering': 'gateway/routes/deposit.ts',
  'deposit.answered': 'gateway/routes/deposit.ts',
  'outbox.claimed': 'temporal/relay.ts',
  'outbox.signalled': 'temporal/relay.ts',
  'outbox.deleted': 'temporal/relay.ts',
  'notification.read': 'gateway/agent-admission.ts',
  'notification.authenticated': 'gateway/agent-admission.ts',
  'transfer.judged': 'steps/transfers/record-transfer.ts',
  'transfer.committed': 'steps/transfers/record-transfer.ts',
  'notification.answering': 'gateway/routes/bank-notification.ts',
  'notification.answered': 'gateway/routes/bank-notification.ts',
  'settle.read': 'temporal/activities/deposits.ts',
  'settle.crediting': 'temporal/activities/deposits.ts',
  'settle.credited': 'temporal/activities/deposits.ts',
  'expire.read': 'temporal/activities/deposits.ts',
  'expire.expired': 'temporal/activities/deposits.ts',
  'callback.read': 'temporal/activities/callbacks.ts',
  'callback.claimed': 'temporal/activities/callbacks.ts',
  'callback.sending': 'temporal/activities/callbacks.ts',
  'callback.answered': 'temporal/activities/callbacks.ts',
  'callback.recorded': 'temporal/activities/callbacks.ts',
  'payout.routing': 'temporal/activities/payouts.ts',
  'payout.read': 'temporal/activities/payouts.ts',
  'payout.marked': 'temporal/activities/payouts.ts',
  'payout.answered': 'temporal/activities/payouts.ts',
  'payout.recorded': 'temporal/activities/payouts.ts',
  'payout.asking': 'temporal/activities/payouts.ts',
  'payout.asked': 'temporal/activities/payouts.ts',
  'payout.followed': 'temporal/activities/payouts.ts',
  'channel.routing': 'temporal/activities/channel-deposits.ts',
  'channel.marked': 'temporal/activities/channel-deposits.ts',
  'channel.answered': 'temporal/activities/channel-deposits.ts',
  'channel.recorded': 'temporal/activities/channel-deposits.ts',
  'channel.asked': 'temporal/activities/channel-deposits.ts',
  'channel.crediting': 'temporal/activities/channel-deposits.ts',
  'channel.credited': 'temporal/activities/channel-deposits.ts',
};

/** Every call in the sources, `[step, file]`. */
function calls(): [string, string][] {
  return ROOMS.flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const source = readFileSync(path.join(ROOT, room, file), 'utf8');
        const found = source.matchAll(/await failpoint\(\s*'([^']*)'/g);
        return [...found].map(([, step = '']): [string, string] => [step, `${room}/${file}`]);
      }),
  );
}

describe('failpoints', () => {
  afterEach(() => {
    armFailpoints(undefined);
  });

  it('each listed step is passed in one place, where it belongs, and no other is', () => {
    const byStep = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);
    expect(calls().sort(byStep)).toEqual(Object.entries(PLACES).sort(byStep));
    expect(Object.keys(PLACES)).toEqual(
      Object.keys({ ...FAILPOINTS, ...PAYOUT_FAILPOINTS, ...CHANNEL_DEPOSIT_FAILPOINTS }),
    );
  });

  it('every call is awaited', () => {
    const sources = ROOMS.flatMap((room) =>
      readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(path.join(ROOT, room, file), 'utf8')),
    ).join('\n');
    expect(sources.match(/\bfailpoint\(/g)).toHaveLength(calls().length);
  });

  it('nothing happens at a step unless failpoints are armed', () => {
    expect(failpoint('request.read', 'a number')).toBeUndefined();
  });

  it('an armed one is called for each step and its key, and the step waits for it', async () => {
    const passed: unknown[] = [];
    armFailpoints({
      hit: async (...step) => {
        await Promise.resolve();
        passed.push(step);
      },
    });
    await failpoint('request.read', 'a number');
    await failpoint('outbox.deleted');
    await failpoint('transfer.judged', null);
    expect(passed).toEqual([
      ['request.read', 'a number'],
      ['outbox.deleted', undefined],
      ['transfer.judged', undefined],
    ]);
  });
});
