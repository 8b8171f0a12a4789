import type { App } from '../app';
import type { GatewayDeps } from '../deps';
import { REFUSAL_SCHEMA } from '../schemas/answers';
import { balanceRoutes } from './balance';
import { bankNotificationRoutes } from './bank-notification';
import { depositRoutes } from './deposit';
import { healthRoutes } from './health';

/** All that the public listener serves. */
export function routes(app: App, deps: GatewayDeps): void {
  app.addSchema(REFUSAL_SCHEMA);
  // Set by admission.
  app.decorateRequest('admitted', null);
  depositRoutes(app, deps);
  balanceRoutes(app, deps);
  bankNotificationRoutes(app, deps);
  healthRoutes(app, deps);
}
