import type { ClaimLimits, OutboxRow } from '../../db/events/outbox';
import { OUTBOX_RANK } from '../../domain/outbox';
import { ClaimPolicy } from '../../temporal/claim-policy';
import type { Pause } from '../../temporal/relay-loop';

describe('what a relay claims', () => {
  let now: number;
  /** How many more credits may be under way. */
  let free: number;
  let added: OutboxRow[];
  let policy: ClaimPolicy;
  beforeEach(() => {
    [now, free, added] = [10_000, 16, []];
    const credits = {
      free: () => Promise.resolve(free),
      add: (rows: readonly OutboxRow[]) => {
        added.push(...rows);
      },
      merchants: ['A', 'B'],
    };
    policy = new ClaimPolicy(credits, () => now);
  });

  const rows = (rank: keyof typeof OUTBOX_RANK, count: number, ageMs = 3_000): OutboxRow[] =>
    Array.from({ length: count }, () => ({ rank: OUTBOX_RANK[rank], createdAt: new Date(now - ageMs) }) as OutboxRow);

  /**
   * One look, which claims these rows.
   * @returns what it might claim, null if nothing, and how soon the next one follows, null after a hint
   */
  async function look(
    due: readonly OutboxRow[] = [],
    tookMs = 0,
  ): Promise<{ limits: ClaimLimits | null; next?: Pause | null }> {
    const begun = await policy.look();
    if (begun === null) return { limits: null };
    now += tookMs;
    return { limits: begun.limits, next: policy.claimed(begun, due, new Date(now)) };
  }

  /** Sends these rows, which stay under way until the answer. */
  function send(due: readonly OutboxRow[]): () => void {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    for (const window of policy.windows)
      window.send(
        due.filter((row) => policy.windowOf(row) === window),
        () => answered,
      );
    return answer;
  }

  it('is a quarter of what may be under way while nobody knows more; then a hint is waited for', async () => {
    expect(await look()).toEqual({
      limits: { money: 16, heldBack: [], rest: 8, starts: true, startsAfterMs: 2_000 },
      next: null,
    });
  });

  it('is 25 rows at most', async () => {
    free = 64;
    const [money, rest] = policy.windows;
    for (let n = 0; n < 20; n++) {
      send([...rows('money', 40), ...rows('work', 20)])();
      money?.answered(40, { late: false, meanMs: 1 });
      rest?.answered(20, { late: false, meanMs: 1 });
      await Promise.resolve();
    }
    expect((await look()).limits).toMatchObject({ money: 25, rest: 25 });
  });

  it('is counted as under way until its credit', async () => {
    const due = [...rows('money', 2), ...rows('start', 1)];
    await look(due);
    expect(added).toEqual(due);
  });

  it('is looked for again at once while more may be due than was claimed', async () => {
    expect((await look(rows('money', 16))).next).toBe('NONE');
    expect((await look(rows('work', 1))).next).toBe('NONE');
  });

  it('is one other row beside money, and for a second after its claim', async () => {
    await look(rows('money', 1), 20);
    expect((await look()).limits?.rest).toBe(1);
    now += 1_000;
    expect((await look()).limits?.rest).toBe(1);
    now += 1;
    expect((await look()).limits?.rest).toBe(8);
  });

  it('is a start in 50 ms beside money, and other work as it comes', async () => {
    await look(rows('money', 1));
    expect(await look(rows('start', 1))).toMatchObject({
      limits: { rest: 1, starts: true },
      next: { atMostMs: 50 },
    });
    now += 40;
    // A start that was not claimed is looked for soon, even if its time has come during the look.
    expect(await look([], 10)).toMatchObject({ limits: { starts: false }, next: { atMostMs: 50 } });
    await look(rows('start', 1));
    expect(await look(rows('work', 1))).toMatchObject({ limits: { starts: false }, next: 'NONE' });
    now += 50;
    expect(await look()).toMatchObject({ limits: { starts: true }, next: null });
  });

  it('is the next start at once if that one is late', async () => {
    await look(rows('money', 1));
    expect((await look(rows('start', 1, 20_000))).next).toBe('NONE');
    expect((await look()).limits?.starts).toBe(true);
  });

  it('is as many starts as may be under way, one look after the other, where no money comes', async () => {
    expect((await look(rows('start', 8))).next).toBe('NONE');
    expect((await look(rows('start', 3))).limits).toMatchObject({ rest: 8, starts: true });
  });

  it.each([
    ['no more credits may be under way', 0, 0],
    ['the window of money is full', 16, 16],
  ])('is no start while %s, and for a second after it', async (_why, credits, underWay) => {
    free = credits;
    const answer = send(rows('money', underWay));
    await look();
    answer();
    free = 16;
    now += 1_000;
    expect(await look()).toMatchObject({ limits: { rest: 8, starts: false }, next: 'HELD_BACK' });
    now += 1;
    expect(await look()).toMatchObject({ limits: { rest: 8, starts: true }, next: null });
  });

  it("is five rows of payouts and other merchants' money five times a second while no more credits may be under way", async () => {
    free = 0;
    const passing = { money: 5, heldBack: ['A', 'B'] };
    expect((await look()).limits).toMatchObject(passing);
    now += 199;
    // A claim would read all that waits, and take none of it.
    expect(await look()).toEqual({ limits: null });
    now += 1;
    expect(await look(rows('money', 2))).toMatchObject({ limits: passing, next: 'HELD_BACK' });
  });

  it.each([
    ['credits', 4, 0],
    ['rows of money', 16, 12],
  ])('is nothing behind a backlog while only four more %s may be under way', async (...how) => {
    const [, credits, underWay] = how;
    free = credits;
    const answer = send(rows('money', underWay));
    expect((await look()).limits?.money).toBe(4);
    expect(policy.backlog).toBe(false);
    await look(rows('money', 4));
    expect(policy.backlog).toBe(true);
    expect(await look()).toEqual({ limits: null });
    answer();
    free = 5;
    await Promise.resolve();
    expect((await look()).limits?.money).toBe(5);
    expect(policy.backlog).toBe(false);
  });

  it('is nothing while both windows are full, and looked for again without haste', async () => {
    await look(rows('money', 1));
    const answer = send(rows('work', 1));
    expect(await look()).toMatchObject({ limits: { money: 16, rest: 0 }, next: 'HELD_BACK' });
    send(rows('money', 16));
    expect(await look()).toEqual({ limits: null });
    answer();
    await Promise.resolve();
    expect(await look()).toMatchObject({ limits: { money: 0, rest: 1 }, next: 'HELD_BACK' });
  });
});
