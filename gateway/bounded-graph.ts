import { CatalogueError } from '../domain/errors';
import type { GraphCalls } from './deps';

/**
 * A graph that takes so many calls at once and refuses more: a database that hangs must not fill this process's
 * memory with waiting requests, nor be flooded with stale ones when it wakes.
 */
export function boundedGraph(graph: GraphCalls, most: number): GraphCalls {
  let underWay = 0;
  async function bounded<Result>(call: () => Promise<Result>): Promise<Result> {
    if (underWay >= most)
      throw new CatalogueError('SERVICE_UNAVAILABLE', 'too many requests are waiting');
    underWay++;
    try {
      return await call();
    } finally {
      underWay--;
    }
  }
  return {
    execute: (document, variables, actor, log) =>
      bounded(() => graph.execute(document, variables, actor, log)),
    authenticate: (request, permission) => bounded(() => graph.authenticate(request, permission)),
    authenticateAgent: (request) => bounded(() => graph.authenticateAgent(request)),
    // Not counted: it tells whether the rest can be served.
    ready: () => graph.ready(),
  };
}
