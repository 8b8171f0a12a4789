import pino from 'pino';
import type { Database } from '../../db/client';
import { RelayHints } from '../../steps/relay-hints';
import { type Pause, RelayLoop } from '../../temporal/relay-loop';

/** A pause that only a hint ends within a test. */
const UNTIL_HINT: Pause = { atMostMs: 3_600_000 };

describe('a loop of the relay', () => {
  /** Runs a loop whose looks do this, in turn; the last one stops it. @returns how often it looked */
  async function looks(...steps: ((loop: RelayLoop) => Pause)[]): Promise<number> {
    let looked = 0;
    const loop: RelayLoop = new RelayLoop(
      async () => {
        const step = steps[looked++];
        if (looked === steps.length) loop.stop();
        return await Promise.resolve(step?.(loop) ?? UNTIL_HINT);
      },
      () => 0,
    );
    await loop.run();
    return looked;
  }

  it('looks again after a hint that came during a look', async () => {
    const looked = await looks(
      (loop) => {
        loop.tell();
        return UNTIL_HINT;
      },
      () => UNTIL_HINT,
    );
    expect(looked).toBe(2);
  });

  it('looks again after a hint that came while it waited', async () => {
    const looked = await looks(
      (loop) => {
        setImmediate(() => {
          loop.tell();
        });
        return UNTIL_HINT;
      },
      () => UNTIL_HINT,
    );
    expect(looked).toBe(2);
  });

  it('looks again after its pause, and at once if rows remain', async () => {
    expect(
      await looks(
        () => ({ atMostMs: 1 }),
        () => 'NONE',
        () => 'HELD_BACK',
        () => UNTIL_HINT,
      ),
    ).toBe(4);
  });
});

describe('hints for relays', () => {
  const log = pino({ level: 'silent' });
  type Send = () => Promise<void>;

  /** @param sends what each of the statements does, in turn */
  function hints(pooler: boolean, ...sends: Send[]) {
    let sent = 0;
    const notify = async (): Promise<void> => {
      await sends[sent++]?.();
    };
    const database = { pooler, sql: { notify } } as unknown as Database;
    return { relays: new RelayHints({ database, log }), sent: () => sent };
  }

  it('are sent again for commits during a send, also after a failed one', async () => {
    let finish: () => void = () => undefined;
    const again = new Promise<void>((done) => (finish = done));
    const { relays, sent } = hints(
      false,
      async () => {
        relays.tell();
        await Promise.reject(new Error('no connection'));
      },
      async () => {
        finish();
        await Promise.resolve();
      },
    );
    relays.tell();
    await again;
    expect(sent()).toBe(2);
  });

  it('are not sent behind a pooler, where no relay receives them', () => {
    const { relays, sent } = hints(true);
    relays.tell();
    expect(sent()).toBe(0);
  });
});
