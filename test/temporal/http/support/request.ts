import type { TargetPolicy } from '../../../../domain/callback-target';
import type { CallbackRequest } from '../../../../temporal/http/callback-sender';

export const STRICT: TargetPolicy = { allowInsecure: false, allowedHosts: null };
export const INSECURE: TargetPolicy = { allowInsecure: true, allowedHosts: null };

export const API_KEY = 'pre_secret_of_the_merchant';
export const SIGNATURE = '0123456789abcdef0123456789abcdef';

/** A callback as the worker sends it. */
export const callback = (url: string, policy: TargetPolicy, rest: Partial<CallbackRequest> = {}): CallbackRequest => ({
  url,
  policy,
  headers: {
    'content-type': 'application/json',
    'x-api-key': API_KEY,
    'x-timestamp': '1735689600',
    'x-signature': SIGNATURE,
  },
  body: '{"event":"deposit.completed","order_no":"D20250101ABCDEFGHJKMN"}',
  timeoutMs: 30_000,
  ...rest,
});
