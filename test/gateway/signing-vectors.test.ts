import vectors from '../vectors/signing.json';
import { md5, MERCHANT_API, type MerchantClient, Platform } from '../support/platform';

interface Vector {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly rawBody?: string;
  readonly rawQuery?: string;
  readonly timestamp: string;
  readonly signingString?: string;
  readonly accepted?: { readonly status: number };
  readonly refused?: { readonly status: number; readonly code: string };
}

/** The time that the vectors were signed at. */
const NOW = new Date(1_767_225_600_000);

describe('signature vectors over HTTP', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    await platform.account();
    merchant = await platform.merchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  it.each(vectors.vectors as Vector[])('$name', async (vector) => {
    const { method, rawBody, rawQuery, timestamp, signingString = '' } = vector;
    const query = rawQuery === undefined || rawQuery === '' ? '' : `?${rawQuery}`;
    const path = `${vector.path.slice(MERCHANT_API.length)}${query}`;
    const signature = md5(signingString + merchant.apiKey);

    const answer = await merchant.signed(method, path, rawBody, { timestamp, signature });

    const { status, code } = { code: 'SUCCESS', status: 0, ...vector.accepted, ...vector.refused };
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });
});
