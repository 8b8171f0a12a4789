import { addressBehind } from '../runtime/client-address';
import type { Config } from '../config';
import { createGraph, type Graph } from '../graph';
import { consoleSite } from '../graph/browser';
import { OidcClient } from '../steps/operators/oidc-client';
import { EventHub } from '../graph/events/event-hub';
import type { DecisionDesk } from '../temporal/decision-desk';
import { openChannels, openSender } from './open-channels';
import type { Role } from './role';

/** The identity provider; null where there is none, and in a process that lacks its secret and so asks nobody. */
function openOidc({ oidc, consoleUrl }: Config, log: Role['log']): OidcClient | null {
  if (!oidc || oidc.clientSecret === null) return null;
  const { clientSecret } = oidc;
  return new OidcClient({ ...oidc, clientSecret }, `${consoleUrl}/oidc`, log);
}

/** The core of a role that serves the graph: the gateway's own operations or the operators'. */
export function openGraph(role: Role, decisions: DecisionDesk | null = null): Graph {
  const { config, log, database, secrets } = role;
  const clock = role.clock.now;
  return createGraph({
    database,
    environment: config.environment,
    clock,
    isClockOff: () => role.clock.isOff(),
    isKeyMissing: () => role.keys.isKeyMissing(),
    sealer: secrets.sealer,
    lookup: secrets.lookup,
    cashierTokens: secrets.cashierTokens,
    signer: secrets.signer,
    events: new EventHub({ database, clock, log }),
    // Reads channels' messages; sends nothing.
    openChannel: openChannels(role, openSender(config)),
    log,
    temporalUi: config.temporalUi,
    sandboxMails: config.sandboxMails,
    approverPasskeys: config.approverPasskeys,
    maskPersonal: config.maskPersonal,
    changes: config.changes,
    decisions,
    creditAgeLimitMs: config.creditAgeLimitMs,
    addressOf: addressBehind(config.trustedProxies),
    site: consoleSite(config.consoleUrl),
    oidc: openOidc(config, log),
  });
}
