import { CatalogueError } from '../domain/errors';
import { metrics } from '../runtime/metrics';
import type { GatewayDeps, GraphCalls } from './deps';
import { OWN_LIMITS } from './limits/limits';
import { MerchantShares } from './merchant-rate';

/**
 * A graph that runs a limited number of calls at once and refuses more. Waiting requests must not fill this process's
 * memory while the database hangs, nor flood the database with stale work when it is back. One merchant's calls leave
 * room for those of others: of n processes each keeps an (n+1)th part of its calls for them.
 * @param most calls of this process
 */
export function boundedGraph(
  graph: GraphCalls,
  most: number,
  {
    isClockOff,
    isKeyMissing,
    limits: { processes } = OWN_LIMITS,
  }: Pick<GatewayDeps, 'isClockOff' | 'isKeyMissing' | 'limits'> = {},
): GraphCalls {
  /** Calls that this process and its like may still begin: connections are spread evenly over them. */
  const left = (): number => (most - underWay) * processes;
  let underWay = 0;
  const shares = new MerchantShares();
  /** Of keys: whose they are is not known before. */
  const keyShares = new MerchantShares();
  metrics.graphCallsLimit.set(most);
  async function bounded<Result>(call: () => Promise<Result>): Promise<Result> {
    if (isClockOff?.() === true) throw new CatalogueError('SERVICE_UNAVAILABLE', "this machine's clock is off");
    if (isKeyMissing?.() === true) throw new CatalogueError('SERVICE_UNAVAILABLE', 'a key is missing');
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
  /** A call that counts toward someone's share. One that is refused never counted. */
  async function shared<Result>(of: MerchantShares, whose: string, call: () => Promise<Result>): Promise<Result> {
    of.enter(whose, left());
    try {
      return await bounded(call);
    } finally {
      of.leave(whose);
    }
  }
  return {
    execute: async (document, variables, actor, log, traceId) => {
      const call = () => graph.execute(document, variables, actor, log, traceId);
      return actor.kind === 'merchant' ? await shared(shares, actor.merchant.id, call) : await bounded(call);
    },
    authenticate: (request, permission, log) =>
      shared(keyShares, request.apiKey, () => graph.authenticate(request, permission, log)),
    authenticateAgent: (request, log) => bounded(() => graph.authenticateAgent(request, log)),
    authenticateCashier: (token, log) => bounded(() => graph.authenticateCashier(token, log)),
    authenticateOwner: (token, log) => bounded(() => graph.authenticateOwner(token, log)),
    authenticateEnroller: (token, log) => bounded(() => graph.authenticateEnroller(token, log)),
    // Not counted: it returns at once.
    subscribe: (actor, onSlow) => graph.subscribe(actor, onSlow),
    authenticateChannel: (channelCode, webhook, log) =>
      bounded(() => graph.authenticateChannel(channelCode, webhook, log)),
    // Not counted: it reads nothing.
    areCreditsLate: () => graph.areCreditsLate(),
    // Not counted: it checks whether the graph can serve.
    ready: () => graph.ready(),
  };
}
