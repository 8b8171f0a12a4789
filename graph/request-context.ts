import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { newTraceId } from '../runtime/log';
import {
  CONSOLE_HEADER,
  deviceCookie,
  deviceOfCookie,
  dropCookie,
  isFromOurPage,
  keepCookie,
  tokenOfCookie,
} from './browser';
import type { Actor } from '../steps/access/actor';
import type { GraphContext } from './context';
import { contextFor, type Graph } from './index';
import { actorOfToken } from '../steps/access/credentials';
import { refuse } from '../steps/refuse';
import type { Origin } from '../steps/access/origin';

const bearer = (authorization: unknown): string | undefined =>
  typeof authorization === 'string' ? /^Bearer (\S+)$/i.exec(authorization)?.[1] : undefined;

const originOf = ({ core }: Graph, request: IncomingMessage): Origin => ({
  address: core.addressOf(request),
  userAgent: request.headers['user-agent']?.slice(0, 256) ?? null,
});

/** One request's context, for the owner of a token. @throws with the HTTP status of a failed dependency */
async function contextOf(
  { core }: Graph,
  find: (core: Graph['core']) => Promise<Actor>,
  { traceId, ...request }: Pick<GraphContext, 'browser' | 'origin' | 'socket' | 'traceId'>,
): Promise<GraphContext> {
  const log = core.log.child({ traceId });
  try {
    const actor = await find(core);
    return contextFor(core, actor, log, traceId, request);
  } catch (error) {
    const refusal = refuse(error, log, 'login look-up');
    const { message, status } = refusal;
    throw new GraphQLError(message, { originalError: refusal, extensions: { http: { status } } });
  }
}

/**
 * The context of an HTTP request. A Bearer token comes before a cookie, and a cookie counts only for requests from our
 * own pages (docs/operators.md), so that no other site can use it.
 */
export async function requestContext(
  graph: Graph,
  request: IncomingMessage,
  response: ServerResponse,
  traceId = newTraceId(),
): Promise<GraphContext> {
  const { headers } = request;
  const { site } = graph.core;
  const ours = request.method === 'POST' && headers[CONSOLE_HEADER] === '1' && isFromOurPage(site, headers);
  const token = bearer(headers.authorization);
  const cookie = ours ? tokenOfCookie(site, headers) : undefined;
  return await contextOf(
    graph,
    async (core) =>
      headers.authorization === undefined
        ? await actorOfToken(core, cookie, true, core.addressOf(request))
        : await actorOfToken(core, token, false, core.addressOf(request)),
    {
      traceId,
      origin: originOf(graph, request),
      socket: null,
      browser: ours
        ? {
            origin: headers.origin ?? '',
            device: deviceOfCookie(site, headers),
            know: (device, seconds) => {
              response.appendHeader('set-cookie', deviceCookie(site, device, seconds));
            },
            keep: (value, seconds) => {
              response.appendHeader('set-cookie', keepCookie(site, value, seconds));
            },
            drop: () => {
              response.appendHeader('set-cookie', dropCookie(site));
            },
          }
        : null,
    },
  );
}

/**
 * The context of an operation over a socket: by `authorization` in its connectionParams, else by the cookie with which
 * one of our pages opened it.
 */
export async function socketContext(
  graph: Graph,
  request: IncomingMessage,
  connectionParams: Readonly<Record<string, unknown>> | undefined,
  socket: GraphContext['socket'] = null,
): Promise<GraphContext> {
  const { headers } = request;
  const { site } = graph.core;
  const authorization = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'];
  const cookie = isFromOurPage(site, headers) ? tokenOfCookie(site, headers) : undefined;
  return await contextOf(
    graph,
    async (core) =>
      authorization === undefined
        ? await actorOfToken(core, cookie, true, core.addressOf(request))
        : await actorOfToken(core, bearer(authorization), false, core.addressOf(request)),
    { traceId: newTraceId(), origin: originOf(graph, request), browser: null, socket },
  );
}
