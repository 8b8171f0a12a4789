import type { TargetPolicy } from '../../../domain/callback-target';
import type { CallbackAnswer } from '../../../domain/callback-verdict';
import { type CallbackSenderOptions, createCallbackSender } from '../../../temporal/http/callback-sender';
import { type Certificates, type KeyPair, makeCertificates } from './support/certificates';
import { httpReceiver, httpsReceiver, type Receiver } from './support/receivers';
import { callback, INSECURE } from './support/request';

let certificates: Certificates;
beforeAll(() => {
  certificates = makeCertificates();
});

async function postTo(receiver: Receiver, options: CallbackSenderOptions, host = 'localhost'): Promise<CallbackAnswer> {
  const sender = createCallbackSender(options);
  try {
    return await sender.post(callback(`https://${host}:${receiver.port}/hook`, INSECURE));
  } finally {
    sender.close();
    await receiver.close();
  }
}

const receiver = async (pair: KeyPair): Promise<Receiver> =>
  await httpsReceiver(pair, (_, response) => response.end('success'));

const refusal = (code: string): object => ({
  kind: 'unreachable',
  reason: 'tls',
  detail: expect.stringContaining(code) as string,
});

test('a self-signed certificate is refused', async () => {
  const answer = await postTo(await receiver(certificates.selfSigned), { webhookSslVerify: true });
  expect(answer).toEqual(refusal('DEPTH_ZERO_SELF_SIGNED_CERT'));
});

test('an unknown authority is refused', async () => {
  const answer = await postTo(await receiver(certificates.localhost), { webhookSslVerify: true });
  expect(answer).toEqual(refusal('UNABLE_TO_VERIFY_LEAF_SIGNATURE'));
});

test('an authority passed explicitly is trusted', async () => {
  const options = { webhookSslVerify: true, ca: [certificates.ca] };
  const answer = await postTo(await receiver(certificates.localhost), options);
  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'success' });
});

test('a certificate for another name is refused', async () => {
  const options = { webhookSslVerify: true, ca: [certificates.ca] };
  const otherName = await postTo(await receiver(certificates.otherName), options);
  expect(otherName).toEqual(refusal('ERR_TLS_CERT_ALTNAME_INVALID'));
  const address = await postTo(await receiver(certificates.localhost), options, '127.0.0.1');
  expect(address).toEqual(refusal('ERR_TLS_CERT_ALTNAME_INVALID'));
});

test('without webhook_ssl_verify any certificate is accepted', async () => {
  const answer = await postTo(await receiver(certificates.selfSigned), { webhookSslVerify: false });
  expect(answer).toMatchObject({ kind: 'answered', status: 200 });
});

test('a merchant whose receivers are not verified accepts any certificate, and no other merchant does', async () => {
  const sender = createCallbackSender({ webhookSslVerify: true });
  const self = await receiver(certificates.selfSigned);
  const post = async (policy: TargetPolicy): Promise<CallbackAnswer> =>
    await sender.post(callback(`https://localhost:${self.port}/hook`, policy));
  expect(await post({ ...INSECURE, verifyTls: false })).toMatchObject({ status: 200 });
  // The connection that is open now trusts an untrusted server.
  for (const policy of [INSECURE, { ...INSECURE, verifyTls: true }])
    expect(await post(policy)).toMatchObject({ reason: 'tls' });
  sender.close();
  await self.close();
});

test('the environment cannot switch verification off', async () => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    const self = await receiver(certificates.selfSigned);
    expect(await postTo(self, { webhookSslVerify: true })).toMatchObject({ reason: 'tls' });
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  }
});

test('plain HTTP is refused where TLS is expected', async () => {
  const plain = await httpReceiver((_, response) => response.end());
  expect(await postTo(plain, { webhookSslVerify: true })).toMatchObject({ kind: 'unreachable' });
});
