import { CatalogueError } from '../domain/errors';
import { metrics } from '../runtime/metrics';
import type { GraphCalls } from './deps';

/**
 * A graph that takes so many calls at once and refuses more: a database that hangs must not fill this process's
 * memory with waiting requests, nor be flooded with stale ones when it wakes.
 */
export function boundedGraph(graph: GraphCalls, most: number): GraphCalls {
  let underWay = 0;
  metrics.graphCallsLimit.set(most);
  async function bounded<Result>(call: () => Promise<Result>): Promise<Result> {
    if (underWay >= most) {
      metrics.graphCallsRefused.inc();
      throw new CatalogueError('SERVICE_UNAVAILABLE', 'too many requests are waiting');
    }
    metrics.graphCalls.set(++underWay);
    try {
      return await call();
    } finally {
      metrics.graphCalls.set(--underWay);
    }
  }
  return {
    execute: (document, variables, actor, log, traceId) =>
      bounded(() => graph.execute(document, variables, actor, log, traceId)),
    authenticate: (request, permission, log) =>
      bounded(() => graph.authenticate(request, permission, log)),
    authenticateAgent: (request, log) => bounded(() => graph.authenticateAgent(request, log)),
    authenticateCashier: (token, log) => bounded(() => graph.authenticateCashier(token, log)),
    // Waits for nothing: it is over when the reader listens.
    subscribe: (actor, onSlow) => graph.subscribe(actor, onSlow),
    authenticateChannel: (channelCode, webhook, log) =>
      bounded(() => graph.authenticateChannel(channelCode, webhook, log)),
    // Not counted: it tells whether the rest can be served.
    ready: () => graph.ready(),
  };
}
