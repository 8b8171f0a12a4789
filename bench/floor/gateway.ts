import 'reflect-metadata';
import { addressBehind } from '../../runtime/client-address';
import { readConfig } from '../../config';
import { createAuditSigner } from '../../crypto/audit-signer';
import { createCashierTokens } from '../../crypto/cashier-token';
import { KeyRing } from '../../crypto/key-ring';
import { createLookup } from '../../crypto/lookup';
import { createSealer } from '../../crypto/seal';
import { buildGateway } from '../../gateway/server';
import { createGraph } from '../../graph';
import { consoleSite } from '../../graph/browser';
import { EventHub } from '../../graph/events/event-hub';
import { createLogger } from '../../runtime/log';
import { memoryDatabase } from './database';

/** The gateway role as main.ts starts it, over a database that answers from memory. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger('gateway', config.logLevel);
  const clock = (): Date => new Date();
  const database = await memoryDatabase(config.database.url);
  const ring = new KeyRing(config.keys.ring);
  const graph = createGraph({
    database,
    environment: config.environment,
    clock,
    sealer: createSealer(ring),
    lookup: createLookup(ring),
    cashierTokens: createCashierTokens(ring, config.environment),
    signer: createAuditSigner(config.keys.audit),
    events: new EventHub({ database, clock, log }),
    openChannel: () => {
      throw new Error('nothing is sent by channels here');
    },
    log,
    temporalUi: config.temporalUi,
    sandboxMails: config.sandboxMails,
    changes: config.changes,
    addressOf: addressBehind(config.trustedProxies),
    site: consoleSite(config.consoleUrl),
  });
  const app = await buildGateway({
    graph,
    clock,
    log,
    environment: config.environment,
    cashierUrl: config.cashierUrl,
    merchantApiUrl: config.merchantApiUrl,
    addressOf: addressBehind(config.trustedProxies),
  });
  process.send?.({ ready: true, url: await app.listen(config.gateway) });
  const end = (): void => {
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('disconnect', end);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exit(1);
});
