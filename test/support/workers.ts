import pino from 'pino';
import { installTemporalLogger } from '../../temporal/logging';
import { createCallbackSender } from '../../temporal/http/callback-sender';
import { Relay } from '../../temporal/relay';
import { registerSearchAttributes } from '../../temporal/search-attributes';
import { Workers } from '../../temporal/worker';
import { type TestTemporal, workflowBundlePath } from './temporal';
import type { Tenant } from './tenant';

/** The worker role of a test: real workflows and activities, and a relay that the test moves step by step. */
export interface TestWorkers {
  readonly relay: Relay;
  stop(): Promise<void>;
}

const silent = pino({ level: 'silent' });
installTemporalLogger(silent);

export async function startWorkers(tenant: Tenant, temporal: TestTemporal): Promise<TestWorkers> {
  const { database, sealer } = tenant;
  const { clock } = temporal;
  const sender = createCallbackSender({ webhookSslVerify: true });
  const workers = await Workers.create({
    connection: temporal.env.nativeConnection,
    namespace: 'default',
    workflowBundle: { codePath: workflowBundlePath() },
    deps: { database, clock, sealer, sender, environment: 'sandbox' },
  });
  const running = workers.run();
  const relay = new Relay({
    database,
    client: temporal.env.client,
    prepareServer: async () => {
      await registerSearchAttributes(temporal.env.connection, 'default');
    },
    clock,
    log: silent,
  });
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
