import { jwtVerify, SignJWT } from 'jose';
import { KeyRing } from './key-ring';

/** What a cashier token names; the session's row decides everything else. */
export interface CashierTicket {
  readonly sessionId: string;
}

/** Makes and reads the tokens of one environment's cashier sessions. */
export interface CashierTokens {
  /** Signs a ticket. A session has one token for its whole life. */
  readonly sign: (ticket: CashierTicket) => Promise<string>;
  /** Reads a token; undefined unless this environment signed it. */
  readonly read: (token: string) => Promise<CashierTicket | undefined>;
}

const ALGORITHM = 'HS256';
const AUDIENCE = 'cashier';
/** Longer than any token of ours. */
const LONGEST_TOKEN = 1_000;
/**
 * Decoders of base64url accept several spellings of one token. Only the canonical one is accepted; otherwise limits by
 * token could be evaded.
 */
const isPlain = (token: string): boolean => {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Signed names of cashier sessions (contract, "CashierCreateResponse"): HS256 and nothing else. They carry no times:
 * the same ticket is the same token while the key is the same, and the session's row decides what it opens.
 * @param keys a ring, whose keys are named in the header (`kid`); or one key without a name, 32 bytes. Each environment
 * has its own, and the token also names its environment
 */
export function createCashierTokens(keys: KeyRing | Uint8Array, environment: string): CashierTokens {
  const issuer = `causeway-${environment}`;
  /** @param id as the token names it. @throws if there is no such key */
  const keyOf = (id: string | undefined): Uint8Array => {
    const key = keys instanceof KeyRing ? keys.find(id)?.cashier : id === undefined && keys;
    if (!key) throw new Error('a token of a key that is not here');
    return key;
  };
  return {
    sign: async ({ sessionId }) => {
      const kid = keys instanceof KeyRing && keys.current.named ? keys.current.id : undefined;
      // Older processes read a version in each token, and let the first of a session act.
      return await new SignJWT({ ver: 1 })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', ...(kid !== undefined && { kid }) })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(sessionId)
        .sign(keyOf(kid));
    },
    read: async (token) => {
      if (token.length > LONGEST_TOKEN || !isPlain(token)) return undefined;
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kid), {
          algorithms: [ALGORITHM],
          issuer,
          audience: AUDIENCE,
        });
        const { sub: sessionId } = payload;
        return typeof sessionId === 'string' && UUID.test(sessionId) ? { sessionId } : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
