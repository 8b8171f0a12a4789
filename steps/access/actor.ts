import type { ChannelMessage, Webhook, WebhookAnswer } from '../../channels';
import type { AgentKeyRow } from '../../db/accounts/agent-keys';
import type { AuthenticatedMerchant } from '../../db/merchants/merchants';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { Proof } from '../../db/operators/sessions';

/** The caller. All kinds except operators are made only by `authenticate…`, from a signature. */
export type Actor =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'operator';
      readonly operator: OperatorWithAuthority;
      /** `session`: a login, by password. `token`: an API token, which never approves. */
      readonly via: 'session' | 'token';
      /** The token came in a browser's cookie. */
      readonly cookie: boolean;
      readonly tokenHash: string;
      /** When the person last showed a second factor in this session; undefined: never. */
      readonly proof?: Proof | undefined;
    }
  | { readonly kind: 'merchant'; readonly merchant: AuthenticatedMerchant }
  | { readonly kind: 'agent'; readonly key: AgentKeyRow }
  | {
      /** The holder of a cashier session's token. */
      readonly kind: 'payer';
      readonly sessionId: string;
      readonly merchantId: string;
    }
  | {
      /** The holder of a link by which a merchant's owner fetches a secret. */
      readonly kind: 'owner';
      readonly linkId: string;
      readonly merchantId: string;
    }
  | {
      /** The holder of a link by which an agent's owner enrols its public key. */
      readonly kind: 'enroller';
      readonly linkId: string;
    }
  | {
      /** A channel, and its message. */
      readonly kind: 'channel';
      readonly channelId: string;
      readonly webhook: Webhook;
      readonly message: ChannelMessage;
      /** The answer that its provider accepts as a receipt; undefined: our default. */
      readonly answer?: WebhookAnswer | undefined;
    };

/** A caller without a login. */
export const ANONYMOUS: Actor = { kind: 'anonymous' };
