import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import type { Random } from '../random';
import type { Fault } from '../receiver';
import { until } from '../until';
import { eventOf } from '../verdict';

/** Most callbacks need several attempts, some use all five, a few are refused permanently. */
const SHARES: readonly (readonly [Fault, number])[] = [
  ['none', 0.22],
  ['stump', 0.05],
  ['refuse', 0.03],
  ['error', 0.2],
  ['hang', 0.15],
  ['reset', 0.15],
  ['cut', 0.1],
  ['errorStump', 0.1],
];
const ORDERS_A_SECOND = 10;
/** Five attempts, 30 s apart, each of which may hang, after the expiry of unpaid orders. */
const ENDED_WITHIN_MS = 260_000;

function faultOf(random: Random): Fault {
  let left = random.next();
  for (const [fault, share] of SHARES) {
    left -= share;
    if (left < 0) return fault;
  }
  return 'none';
}

/** Every callback has ended. */
const ended = async ({ ledger }: Arena): Promise<boolean> =>
  await until(async () => {
    const { orders, callbacks, outbox } = await ledger.open();
    return orders + callbacks + outbox === 0;
  }, ENDED_WITHIN_MS);

/** The operator resends all failed callbacks: the same bytes, five attempts at most. */
async function resendFailed({ ledger, operator, rearmed, say }: Arena): Promise<void> {
  const failed = await ledger.failedCallbacks();
  for (const { id, orderNo, type } of failed) {
    const key = `${orderNo} ${eventOf(type)}`;
    rearmed.set(key, [...(rearmed.get(key) ?? []), Date.now()]);
    await operator.run('ResendCallback', { id, reason: 'chaos campaign' });
  }
  say(`${failed.length} callbacks failed; the operator resends them`);
}

export const receivers: Campaign = {
  name: 'receivers',
  about: "merchants' servers fail at random (5xx, hang, reset, cut short): five attempts at most",
  size: { gateways: 1, workers: 1 },
  orders: 400,
  callbackTimeoutSeconds: 3,
  fault: faultOf,
  run: async (arena) => {
    const { load, orders, say } = arena;
    await load.start(orders, (orders / ORDERS_A_SECOND) * 1_000);
    await load.done();
    say('all orders are paid or left to expire; their callbacks take five attempts, 30 s apart');
    await ended(arena);
    await resendFailed(arena);
    await ended(arena);
  },
};
