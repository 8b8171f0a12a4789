import path from 'node:path';
import { Totals } from '../steps/ledger/totals';
import { buildGraphServer } from '../graph/server';
import { openTemporalClient } from '../temporal/client';
import { DecisionDesk } from '../temporal/decision-desk';
import { openGraph } from './open-graph';
import { serveOwnMetrics } from './own-metrics';
import { drain, ready, type Role, type Stop } from './role';

/** The internal listener: operators' GraphQL, the console, metrics. */
export async function graph(role: Role): Promise<Stop> {
  const { config, log } = role;
  if (config.oidc?.clientSecret === null)
    throw new Error('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must all be set');
  const client = openTemporalClient(config.temporal);
  const graph = openGraph(role, new DecisionDesk(client, log));
  await graph.core.events.start();
  graph.core.platformWatch.start();
  const app = await buildGraphServer(
    graph,
    log,
    path.join(__dirname, '../console'),
    path.join(__dirname, '../explorer'),
    config.graphMetrics === null,
    config.securityContacts,
  );
  const { core } = graph;
  const stopMetrics =
    config.graphMetrics &&
    (await serveOwnMetrics(role, config.graphMetrics, [async () => await new Totals(core).text()]));
  ready(await app.listen(config.graph));
  return async () => {
    await drain(app, config.drainMs);
    graph.core.events.stop();
    graph.core.platformWatch.stop();
    await app.close();
    await stopMetrics?.();
    await client.connection.close();
  };
}
