import { createHmac } from 'node:crypto';

/** HMAC-SHA256, lower-case hex. Texts count as UTF-8. Compare with `hexEquals`, never with `===`. */
export const hmacSha256 = (key: string | Uint8Array, data: string | Uint8Array): string =>
  createHmac('sha256', key).update(data).digest('hex');
