import { Type } from 'typebox';
import { CatalogueError } from '../../domain/errors';
import type { App } from '../app';
import { Deadline } from '../deadline';
import type { GatewayDeps } from '../deps';
import { success } from '../envelope';
import { Answer, refusals } from '../schemas/answers';

/** How long readiness waits for its dependencies, milliseconds: a load balancer needs an answer soon. */
const READY_WITHIN_MS = 2_000;

/** For load balancers and supervisors. */
export function healthRoutes(app: App, { graph, isClockOff, isKeyMissing }: GatewayDeps): void {
  app.get(
    '/health/live',
    {
      schema: {
        operationId: 'live',
        summary: 'This process runs',
        tags: ['Health'],
        response: { 200: Answer(Type.Object({ live: Type.Literal(true) }), 'This process runs.') },
      },
    },
    () => success({ live: true } as const),
  );

  app.get(
    '/health/ready',
    {
      schema: {
        operationId: 'ready',
        summary: 'Requests can be served',
        tags: ['Health'],
        response: {
          200: Answer(Type.Object({ ready: Type.Literal(true) }), 'Requests can be served.'),
          ...refusals([]),
        },
      },
    },
    async ({ server }) => {
      if (server.isDraining()) throw new CatalogueError('SERVICE_UNAVAILABLE', 'closing');
      if (isClockOff?.() === true) throw new CatalogueError('SERVICE_UNAVAILABLE', "this machine's clock is off");
      if (isKeyMissing?.() === true) throw new CatalogueError('SERVICE_UNAVAILABLE', 'a key is missing');
      if (!(await new Deadline(READY_WITHIN_MS).within(graph.ready())))
        throw new CatalogueError('SERVICE_UNAVAILABLE', 'a dependency does not answer');
      return success({ ready: true } as const);
    },
  );
}
