import cluster from 'node:cluster';
import { addressBehind } from '../runtime/client-address';
import { buildGateway } from '../gateway/server';
import { DrawnLimits } from '../gateway/limits/drawn-limits';
import { openLine } from './gateway-line';
import { openGraph } from './open-graph';
import { serveOwnMetrics } from './own-metrics';
import { drain, ready, type Role, type Stop } from './role';

/** The public listener: the merchant API and bank notifications. */
export async function gateway(role: Role): Promise<Stop> {
  const { config, log } = role;
  const graph = openGraph(role);
  const limits = cluster.isWorker ? new DrawnLimits(config.gatewayProcesses, openLine()) : undefined;
  const app = await buildGateway({
    graph,
    ...(limits && { limits }),
    clock: role.clock.now,
    isClockOff: () => role.clock.isOff(),
    isKeyMissing: () => role.keys.isKeyMissing(),
    log,
    environment: config.environment,
    cashierUrl: config.cashierUrl,
    merchantApiUrl: config.merchantApiUrl,
    addressOf: addressBehind(config.trustedProxies),
    merchantAllowance: config.merchantAllowance,
    securityContacts: config.securityContacts,
  });
  graph.core.creditWatch.start();
  // Of several processes the parent serves them.
  const stopMetrics = limits ? null : await serveOwnMetrics(role, config.gatewayMetrics);
  ready(await app.listen(config.gateway));
  return async () => {
    await drain(app, config.drainMs);
    graph.core.cashierChanges.stop();
    graph.core.creditWatch.stop();
    await app.close();
    limits?.close();
    await stopMetrics?.();
  };
}
