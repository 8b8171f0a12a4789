import { GraphQLError } from 'graphql';
import { newTraceId } from '../log';
import type { GraphContext } from './context';
import { refuse } from './errors';
import { contextFor, type Graph } from './index';
import { actorOfBearer } from './session';

/** One request's context, for whoever its bearer token names. @throws with the HTTP status of what is down */
export async function requestContext(
  { core }: Graph,
  authorization: unknown,
  traceId = newTraceId(),
  socket: GraphContext['socket'] = null,
): Promise<GraphContext> {
  const log = core.log.child({ traceId });
  try {
    return contextFor(core, await actorOfBearer(core, authorization), log, traceId, socket);
  } catch (error) {
    const refusal = refuse(error, log, 'login look-up');
    const { message, status } = refusal;
    throw new GraphQLError(message, { originalError: refusal, extensions: { http: { status } } });
  }
}
