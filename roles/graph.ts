import path from 'node:path';
import { buildGraphServer } from '../graph/server';
import { openTemporalClient } from '../temporal/client';
import { DecisionDesk } from '../temporal/decision-desk';
import { openGraph } from './open-graph';
import { drain, ready, type Role, type Stop } from './role';

/** The internal listener: operators' GraphQL, the console, metrics. */
export async function graph(role: Role): Promise<Stop> {
  const { config, log } = role;
  const client = openTemporalClient(config.temporal);
  const graph = openGraph(role, new DecisionDesk(client, log));
  await graph.core.events.start();
  graph.core.platformWatch.start();
  const app = await buildGraphServer(
    graph,
    log,
    path.join(__dirname, '../console'),
    path.join(__dirname, '../explorer'),
  );
  ready(await app.listen(config.graph));
  return async () => {
    await drain(app, config.drainMs);
    graph.core.events.stop();
    graph.core.platformWatch.stop();
    await app.close();
    await client.connection.close();
  };
}
