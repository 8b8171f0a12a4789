import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { createLogger } from '../runtime/log';
import { BatchWindow } from './batch-window';
import type { RouteDeps } from './deps';
import { OWN_LIMITS } from './limits/limits';
import { MerchantRate } from './merchant-rate';
import { routes } from './routes';
import { VALIDATION } from './validation';

const never = (): never => {
  throw new Error('describing the routes calls nothing');
};

/** Registers the routes without serving them. */
const NOTHING: RouteDeps = {
  graph: {
    execute: never,
    authenticate: never,
    authenticateAgent: never,
    authenticateCashier: never,
    authenticateOwner: never,
    authenticateEnroller: never,
    authenticateChannel: never,
    subscribe: never,
    areCreditsLate: never,
    ready: never,
  },
  cashierUrl: '',
  merchantApiUrl: '',
  addressOf: never,
  clock: never,
  log: createLogger('openapi', 'silent'),
  environment: 'sandbox',
  limits: OWN_LIMITS,
  merchantRate: new MerchantRate(),
  batchWindow: new BatchWindow(never),
};

/** The routes as OpenAPI 3.1, made from the schemas that validate and serialize them. */
export async function openApiDocument(): Promise<object> {
  const app = Fastify({
    ajv: VALIDATION,
    exposeHeadRoutes: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Causeway',
        // The interface's version (contract, "Versioning").
        version: '0.9.0',
        description:
          'Deposits and balances for merchants, and notifications by agents that watch bank accounts. ' +
          'Every answer is the envelope `{success, code, message, data}`; branch on `code`, never on `message`.',
      },
      servers: [
        { url: '{base_url}', description: 'Production', variables: { base_url: { default: '/' } } },
        {
          url: '{sandbox_base_url}',
          description: 'Sandbox',
          variables: { sandbox_base_url: { default: '/' } },
        },
      ],
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `Schema${index}`,
    },
  });
  routes(app, NOTHING);
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
