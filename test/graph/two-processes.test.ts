import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishEvents } from '../../db/events/events';
import { OperatorClient } from '../../local/operator-client';
import { sendSignal } from '../../local/processes';
import { RoleProcess } from '../../local/role-process';
import { createTestDatabase } from '../support/database';
import { Subscriber } from '../support/subscriber';
import { temporaryFolder } from '../support/temporary-folder';
import { Tenant } from '../support/tenant';

const MAIN = path.join(__dirname, '..', '..', 'dist', 'main.js');
const SUBSCRIBERS = 20;
const ORDERS = 150;

/** A separate graph process, as in a deployment. */
async function startGraph(name: string, env: NodeJS.ProcessEnv, folder: string) {
  const running = new RoleProcess({
    program: MAIN,
    role: 'graph',
    name,
    env,
    logDir: folder,
    pidDir: folder,
  });
  return {
    url: `${(await running.started()) ?? ''}/graphql`,
    pid: running.record?.pid ?? 0,
    running,
  };
}

describe('two graph processes on one database', () => {
  const folder = temporaryFolder();

  it('lose and repeat no event while one is killed and restarted under load', async () => {
    const tenant = await Tenant.create(await createTestDatabase());
    await tenant.account();
    const merchant = await tenant.merchant();
    const env = {
      ...process.env,
      CAUSEWAY_ENV: 'sandbox',
      DATABASE_URL: tenant.url,
      GRAPH_PORT: '0',
      LOG_LEVEL: 'warn',
      CAUSEWAY_LOOKUP_KEY: randomBytes(32).toString('base64'),
      CAUSEWAY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      CASHIER_TOKEN_SECRET: randomBytes(32).toString('base64'),
    };
    const graphs = [await startGraph('one', env, folder), await startGraph('two', env, folder)];
    const operator = new OperatorClient(graphs[0]?.url ?? '');
    const { token } = await operator.run<{ token: string }>('Login', {
      login: 'admin',
      password: 'a password of the tests',
    });
    // Each client belongs to one process and reconnects to it.
    const subscribers = Array.from(
      { length: SUBSCRIBERS },
      (_, n) => new Subscriber(() => graphs[n % 2]?.url ?? '', token, { afterSeq: '0' }),
    );

    // The relay publishes events throughout.
    let relaying = true;
    const relay = (async () => {
      while (relaying) if (!(await publishEvents(tenant.database, 50))) await sleep(5);
    })();
    const load = async (): Promise<void> => {
      for (let n = 0; n < ORDERS; n++) {
        const { orderNo } = await tenant.deposit(merchant);
        await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
      }
    };
    const loading = load();
    await subscribers[0]?.until(() => (subscribers[0]?.heard.length ?? 0) > 20);
    const killed = graphs[0];
    if (!killed) throw new Error('no process');
    sendSignal(killed.pid, 'SIGKILL');
    await killed.running.ended;
    graphs[0] = await startGraph('one', env, folder);
    await loading;

    const events = 2 * ORDERS;
    await Promise.all(
      subscribers.map(async (one) => {
        await one.until(() => one.heard.length >= events);
      }),
    );
    relaying = false;
    await relay;
    const all = Array.from({ length: events }, (_, n) => BigInt(n + 1));
    let lost = 0;
    let double = 0;
    for (const { seqs } of subscribers) {
      const heard = new Set(seqs);
      lost += all.filter((seq) => !heard.has(seq)).length;
      double += seqs.length - heard.size;
      expect(seqs).toEqual([...seqs].sort((a, b) => (a < b ? -1 : 1)));
    }
    const reconnected = subscribers.filter(({ closed }) => closed.length > 0).length;
    process.stdout.write(
      `subscribers=${SUBSCRIBERS} reconnected=${reconnected} events=${events} lost=${lost} double=${double}\n`,
    );
    expect({ lost, double }).toEqual({ lost: 0, double: 0 });
    expect(reconnected).toBe(SUBSCRIBERS / 2);

    for (const one of subscribers) await one.close();
    for (const { pid, running } of graphs) {
      sendSignal(pid, 'SIGTERM');
      await running.ended;
    }
    await tenant.close();
  }, 300_000);
});
