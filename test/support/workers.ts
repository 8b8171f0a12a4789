import pino from 'pino';
import { PlatformMarker } from '../../db/platform/marker';
import type { Logger } from '../../runtime/log';
import { createCallbackSender } from '../../temporal/http/callback-sender';
import type { Mailer } from '../../temporal/mail/mailer';
import { Relay } from '../../temporal/relay';
import { installTemporalRuntime } from '../../temporal/runtime';
import { registerSearchAttributes } from '../../temporal/search-attributes';
import { Workers } from '../../temporal/worker';
import { type TestTemporal, workflowBundlePath } from './temporal';
import type { Tenant } from './tenant';

/** The worker role of a test: real workflows and activities, and a relay that the test drives step by step. */
export interface TestWorkers {
  readonly relay: Relay;
  stop(): Promise<void>;
}

const silent = pino({ level: 'silent' });
/** A process has one runtime; the workers that run write to their own log. */
let current: Logger = silent;
const write =
  (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') =>
  (fields: object, message: string): void => {
    current[level](fields, message);
  };
installTemporalRuntime({
  trace: write('trace'),
  debug: write('debug'),
  info: write('info'),
  warn: write('warn'),
  error: write('error'),
});

/**
 * @param tenant whose database they use by default
 * @param log the workers' log; none by default
 * @param mailer sends mails; without one they wait
 */
export async function startWorkers(
  tenant: Pick<Tenant, 'database' | 'sealer' | 'graph'> & Partial<Pick<Tenant, 'changes'>>,
  temporal: TestTemporal,
  log: Logger = silent,
  mailer: Mailer | null = null,
): Promise<TestWorkers> {
  current = log;
  const { database, sealer, changes = { onePerson: true, coolingMs: 0 } } = tenant;
  const { clock } = temporal;
  const sender = createCallbackSender({ webhookSslVerify: true });
  const marker = new PlatformMarker({ database, outside: null, clock: () => new Date(), log });
  const relay = new Relay({
    database,
    client: temporal.env.client,
    prepareServer: async () => {
      await registerSearchAttributes(temporal.env.connection, 'default');
    },
    clock,
    log,
  });
  const workers = await Workers.create({
    connection: temporal.env.nativeConnection,
    namespace: 'default',
    workflowBundle: { codePath: workflowBundlePath() },
    afterStep: () => {
      relay.tell();
    },
    deps: {
      database,
      clock,
      sealer,
      sender,
      mailer,
      changes,
      environment: 'sandbox',
      lookup: tenant.graph.core.lookup,
      secretPageUrl: 'http://127.0.0.1/cashier/keys',
      agentPageUrl: 'http://127.0.0.1/cashier/agents',
      consoleUrl: 'http://127.0.0.1/console',
      signer: tenant.graph.core.signer,
      headsFile: null,
      purgeDays: 1,
      openChannel: tenant.graph.core.openChannel,
      raiseMarker: async () => await marker.raise(),
    },
  });
  const running = workers.run();
  return {
    relay,
    stop: async () => {
      await relay.stop();
      workers.shutdown();
      await running;
      sender.close();
    },
  };
}
