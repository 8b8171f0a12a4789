import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signHmacJson } from '../../simulator/styles/hmac-json';
import { signMd5Query } from '../../simulator/styles/md5-query';
import { signRsaSorted } from '../../simulator/styles/rsa-sorted';

/*
 * The simulated providers sign the samples of their providers' documents, and must get the published signatures
 * (docs/channels.md names them). The same samples are in docs/mappings, where the mapping must produce them with its
 * own code.
 */
interface Sample {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
  readonly signature: string;
}
const samplesOf = (mapping: string): readonly Sample[] => {
  const file = path.join(__dirname, '../../docs/mappings', `${mapping}.json`);
  const { samples } = JSON.parse(readFileSync(file, 'utf8')) as { samples: { signing: Sample[] } };
  return samples.signing;
};

it('MD5 over a query string: a payment and a payout', () => {
  const published = ['559444c72051d4feab4d840cc39c5b84', 'bc29e8a132edf819431227154c2586c6'];
  const signed = samplesOf('md5-query').map(({ fields = [], key }) =>
    signMd5Query(Object.fromEntries(fields.map(({ name, value }) => [name, value])), key),
  );
  expect(signed).toEqual(published);
});

it('HMAC over JSON: the body to verify an implementation by', () => {
  expect(signHmacJson('{"currency":"BTC","foreign_id":"123456"}', 'AbCdEfG123456')).toMatch(
    /^03c25fcf7cd35e7d995e402cd5d51edd72d48e1471e865907967809a0c189ba5/,
  );
});

it('RSA over sorted fields: the request of the signature tool', () => {
  const [sample] = samplesOf('rsa-sorted');
  const { body = '', nonce = '', timestamp = '', url = '' } = sample?.values ?? {};
  const parts = { body, method: 'POST', nonceStr: nonce, requestUrl: url, timestamp };
  const signature = signRsaSorted(parts, sample?.key ?? '');
  expect(signature).toBe(`sha256 ${sample?.signature ?? ''}`);
  expect(signature).toMatch(/^sha256 FKdep5OjChzPEZI0IxQBl4gSmIxS9HWb6cyxWPTT3X76RmX\/pU6EPXj\/WCzW3DFk/);
});
