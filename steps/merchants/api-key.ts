import { uuidv7 } from 'uuidv7';
import { newApiKey, secretHint } from '../../crypto/tokens';
import { notFound } from '../../domain/errors';
import type { Settings } from '../../domain/change-request';
import type { Needs } from '../context';
import type { IssueApiKeyPayload } from './key-effects';
import { goesToOwner, ownersAddresses } from './owner-link';

export const TO_OWNER =
  "True: the merchant's owner fetches the key by a link that is mailed once the change is applied (event `tenant_owner_invite`), and nobody here sees it. Production always does so.";

/** A proposed key, and what the proposer and the approver see of it. */
interface ProposedKey {
  /** Null if the merchant's owner fetches it: it does not exist yet. */
  readonly apiKey: string | null;
  readonly payload: IssueApiKeyPayload;
  readonly name: string;
  readonly after: Settings;
}

/** A key that only its proposer sees, sealed until its approval; or one that only the owner sees. */
export async function newKey(
  context: Needs<'database' | 'environment' | 'lookup' | 'sealer'>,
  merchantId: string,
  merchantCode: string,
  toOwner: boolean | null | undefined,
): Promise<ProposedKey> {
  const { database, environment, sealer, lookup } = context;
  const id = uuidv7();
  if (goesToOwner(context, toOwner)) {
    const { mail } = await ownersAddresses(database.sql, merchantId);
    const payload = { id, merchantId, toOwner: true } as const;
    return { apiKey: null, payload, name: merchantCode, after: { sentTo: mail } };
  }
  const apiKey = newApiKey(environment);
  const hint = secretHint(apiKey);
  const payload = {
    id,
    merchantId,
    hint,
    lookupHash: lookup(apiKey),
    sealedKey: sealer.seal(apiKey, `api_key:${id}`),
  };
  return { apiKey, payload, name: `${merchantCode} …${hint}`, after: { hint } };
}

export async function merchantCodeOf({ loaders }: Needs<'loaders'>, merchantId: string): Promise<string> {
  const merchant = await loaders.merchants.load(merchantId);
  if (!merchant) throw notFound('merchant');
  return merchant.merchantCode;
}
