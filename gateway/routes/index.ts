import type { App } from '../app';
import { cashierApi } from '../cashier/api';
import { pageForms } from '../cashier/form-posts';
import { pageRoutes } from '../cashier/page-routes';
import { cashierCalls } from '../cashier/session';
import type { RouteDeps } from '../deps';
import { ownerRoutes } from '../owner/routes';
import { REFUSAL_SCHEMA } from '../schemas/answers';
import { balanceRoutes } from './balance';
import { agentTextRoutes } from './agent-text';
import { bankNotificationRoutes } from './bank-notification';
import { cashierRoutes } from './cashier';
import { channelWebhookRoutes } from './channel-webhook';
import { depositRoutes } from './deposit';
import { healthRoutes } from './health';
import { withdrawalRoutes } from './withdrawal';

/** All routes of the public listener. */
export function routes(app: App, deps: RouteDeps): void {
  app.addSchema(REFUSAL_SCHEMA);
  // Set by admission.
  app.decorateRequest('admitted', null);
  depositRoutes(app, deps);
  withdrawalRoutes(app, deps);
  cashierRoutes(app, deps);
  const calls = cashierCalls(deps);
  cashierApi(app, deps, calls, pageForms(calls));
  pageRoutes(app, calls);
  ownerRoutes(app, deps);
  balanceRoutes(app, deps);
  bankNotificationRoutes(app, deps);
  agentTextRoutes(app, deps);
  channelWebhookRoutes(app, deps);
  healthRoutes(app, deps);
}
