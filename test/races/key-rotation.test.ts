import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../chaos/attack/random';
import { createTestDatabase } from '../support/database';
import { depositBody, Platform } from '../support/platform';
import { type SlowLine, slowLine } from '../support/slow-line';

const SEED = '2026-01-02';
const CLIENTS = 32;
/** The minimum number of rotations; the test also continues until enough requests used a live or a retired key. */
const ROTATIONS = 12;
const LIVE = 500;
const RETIRED = 50;
/** Overlap of every second rotation, seconds of the injected clock; the other rotations retire the old key at once. */
const OVERLAP_SECONDS = 1;
/** Answers to each key before the next rotation. */
const USED = 25;
/** The injected clock advances by this after each answer, so that an overlap covers as many requests on any machine. */
const ANSWER_MS = 8;
/** An account holds at most 1,000 open deposits. */
const ACCOUNTS = 8;
/** PostgreSQL's answers are delayed by up to this, milliseconds, so that keys change during look-ups. */
const SLOWEST_ANSWER_MS = 25;

/** A key and its lifetime: between `dying` and `dead` it may be accepted or refused. */
interface Key {
  readonly apiKey: string;
  /** From here on it must be accepted. */
  readonly born: number;
  /** From here on it may be refused. */
  dying: number;
  /** From here on it must be refused. */
  dead: number;
}

/** A request: the time before it was sent, and after its answer arrived. */
interface Request {
  readonly key: Key;
  readonly sent: number;
  readonly answered: number;
  readonly status: number;
}

describe('key rotation during requests', () => {
  const random = new Random(SEED);
  let line: SlowLine;
  let platform: Platform;

  beforeEach(async () => {
    const { url, drop } = await createTestDatabase();
    line = await slowLine(url, () => random.next() * SLOWEST_ANSWER_MS);
    platform = await Platform.open({ database: { url: line.url, drop } });
  });
  afterEach(async () => {
    await platform.close();
    await line.close();
  });

  it('refuses no request with a live key and accepts none with a retired key', async () => {
    const began = Date.now();
    const requests: Request[] = [];
    const now = () => began + requests.length * ANSWER_MS;
    platform.tenant.now = () => new Date(now());
    for (let n = 0; n < ACCOUNTS; n++) await platform.account();
    const merchant = await platform.merchant();
    const fresh = (apiKey: string): Key => ({
      apiKey,
      born: now(),
      dying: Infinity,
      dead: Infinity,
    });
    let newest = fresh(merchant.apiKey);
    const keys = [newest];
    let over = false;

    const client = async (own: Random): Promise<void> => {
      while (!over) {
        // Mostly the newest two keys, sometimes one that retired long ago.
        const back = own.next() < 0.8 ? own.next() * 2 : own.next() * keys.length;
        const key = keys[Math.max(0, keys.length - 1 - Math.floor(back))] ?? newest;
        const sent = now();
        const { status } =
          own.next() < 0.5
            ? await merchant.signed('GET', '/balance', undefined, { apiKey: key.apiKey })
            : await merchant.signed('POST', '/orders/deposit', depositBody(), key);
        requests.push({ key, sent, answered: now(), status });
      }
    };
    const clients = Array.from({ length: CLIENTS }, async (_, n) => {
      await client(new Random(`${SEED} client ${n}`));
    });

    const judged = () => ({
      live: requests.filter(({ key, sent, answered }) => sent >= key.born && answered < key.dying),
      retired: requests.filter(({ key, sent }) => sent >= key.dead),
    });
    /** Whether enough requests were checked. */
    const isEnough = (): boolean => {
      const { live, retired } = judged();
      return live.length > LIVE && retired.length > RETIRED;
    };

    for (let n = 0; n < ROTATIONS || !isEnough(); n++) {
      while (requests.filter(({ key }) => key === newest).length < USED) await sleep(5);
      const overlapSeconds = n % 2 === 0 ? OVERLAP_SECONDS : 0;
      // All earlier keys; a key that retires sooner keeps its time.
      const before = [...keys];
      const dying = now() + overlapSeconds * 1000;
      for (const key of before) key.dying = Math.min(key.dying, dying);
      const { apiKey } = await platform.tenant.operate<{ apiKey: string }>('RotateApiKey', {
        merchantId: merchant.id,
        overlapSeconds,
        reason: 'test',
      });
      const dead = now() + overlapSeconds * 1000;
      for (const key of before) key.dead = Math.min(key.dead, dead);
      newest = fresh(apiKey);
      keys.push(newest);
    }
    // Until every key but the newest has retired and was tried.
    const last = Math.max(...keys.slice(0, -1).map(({ dead }) => dead));
    while (now() <= last + USED * ANSWER_MS) await sleep(5);
    over = true;
    await Promise.all(clients);

    const taken = ({ status }: Request): boolean => status === 200 || status === 201;
    const sure = judged();
    const refusedLive = sure.live.filter((request) => !taken(request));
    const acceptedRetired = sure.retired.filter((request) => request.status !== 401);
    process.stdout.write(
      `key rotation: keys=${keys.length} requests=${requests.length} live=${sure.live.length} ` +
        `refused-live=${refusedLive.length} retired=${sure.retired.length} ` +
        `accepted-retired=${acceptedRetired.length}\n`,
    );
    expect(refusedLive.map(({ status }) => status)).toEqual([]);
    expect(acceptedRetired.map(({ status }) => status)).toEqual([]);
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200, 201, 401]));
  }, 180_000);
});
