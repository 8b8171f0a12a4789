import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { LIMITS } from '../../domain/limits';
import { buildGraphServer } from '../../graph/server';
import { OperatorClient } from '../../local/operator-client';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { eventsOf, fundedMerchant, transferUnderWay } from '../support/withdrawals';

interface Proof {
  id: string;
  type: string;
  size: number;
  sha256: string;
  attachedBy: { login: string };
}

const PDF = Buffer.from('%PDF-1.7 of the bank');
const png = (size: number): Buffer =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], size);

describe('the proof of a manual payout', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  let tess: OperatorActor;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant, '10000');
    accountId = await tenant.account();
    tess = await tenant.person('tess', ['treasurer', 'view']);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const underWay = async () => await transferUnderWay(tenant, merchant, accountId);
  const attach = async (orderNo: string, file: Buffer, actor = tenant.operator): Promise<void> => {
    await tenant.operate('AttachTransferProof', { orderNo, proof: file.toString('base64') }, actor);
  };
  const proofsOf = async (orderNo: string): Promise<Proof[]> => {
    const { transferTask } = await tenant.operate<{ transferTask: { proofs: Proof[] } }>('PayoutAttempts', { orderNo });
    return transferTask.proofs;
  };
  const fileOf = async (id: string, actor = tenant.operator): Promise<Buffer> =>
    Buffer.from(await tenant.operate<string>('TransferProofFile', { id }, actor), 'base64');

  it('is a picture or a PDF, stored unchanged, during and after sending', async () => {
    const { id, orderNo } = await underWay();
    const picture = png(LIMITS.transferProofBytes);
    await attach(orderNo, picture);
    await tenant.operate('CompleteTransfer', { orderNo, bankReference: orderNo });
    await attach(orderNo, PDF);
    const [first, second, ...others] = await proofsOf(orderNo);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      type: 'image/png',
      size: picture.length,
      attachedBy: { login: 'admin' },
      sha256: createHash('sha256').update(picture).digest('hex'),
    });
    expect(second).toMatchObject({ type: 'application/pdf', size: PDF.length });
    expect((await fileOf(first?.id ?? '')).equals(picture)).toBe(true);
    expect((await fileOf(second?.id ?? '')).equals(PDF)).toBe(true);
    expect((await eventsOf(tenant, id)).slice(-4)).toEqual([
      ...['transfer_begun', 'transfer_proof_attached', 'completed', 'transfer_proof_attached'],
    ]);
    const audit = await tenant.database.sql`
      select reason from audit_log
      where action = 'attachTransferProof' and subject = ${`withdrawal:${orderNo}`} and outcome = 'OK'
      order by seq`;
    expect([...audit]).toEqual([
      { reason: `image/png of ${picture.length} bytes, sha256 ${first?.sha256 ?? ''}` },
      { reason: `application/pdf of ${PDF.length} bytes, sha256 ${second?.sha256 ?? ''}` },
    ]);
  });

  it('is attached once under repeats, and never changes', async () => {
    const { orderNo } = await underWay();
    for (let n = 0; n < 3; n++) await attach(orderNo, PDF);
    expect(await proofsOf(orderNo)).toHaveLength(1);
    const { sql } = tenant.database;
    for (const change of ["update transfer_proofs set type = 'image/png'", 'delete from transfer_proofs'])
      await expect(sql.unsafe(change)).rejects.toMatchObject({ code: 'CW001' });
  });

  it('is limited to five', async () => {
    const { orderNo } = await underWay();
    const proof = (n: number): Buffer => Buffer.concat([PDF, Buffer.from([n])]);
    for (let n = 1; n <= 5; n++) await attach(orderNo, proof(n));
    await expect(attach(orderNo, proof(6))).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await attach(orderNo, proof(5));
    expect(await proofsOf(orderNo)).toHaveLength(5);
  });

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'INVALID_FIELD'],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'INVALID_FIELD'],
    ['nothing', Buffer.alloc(0), 'INVALID_FIELD'],
    ['a byte too many', png(LIMITS.transferProofBytes + 1), 'INVALID_FIELD'],
  ])('is not %s', async (_what, file, kind) => {
    const { orderNo } = await underWay();
    await expect(attach(orderNo, file)).rejects.toMatchObject({ kind });
    expect(await proofsOf(orderNo)).toEqual([]);
  });

  it('is accepted only from the sender of the payout', async () => {
    const { orderNo } = await underWay();
    await expect(attach(orderNo, PDF, tess)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await expect(attach(orderNo, PDF, tenant.operatorWith(['VIEW', 'APPROVE']))).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    await tenant.operate('ReleaseTransfer', { orderNo, reason: 'nothing went' }, tess);
    await expect(attach(orderNo, PDF)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
  });

  it('is shown only to operators who may see the withdrawal', async () => {
    const { orderNo } = await underWay();
    await attach(orderNo, PDF);
    const id = (await proofsOf(orderNo))[0]?.id ?? '';
    const other = await tenant.merchant();
    expect((await fileOf(id, tenant.operatorWith(['VIEW'], [merchant.id]))).equals(PDF)).toBe(true);
    await expect(fileOf(id, tenant.operatorWith(['VIEW'], [other.id]))).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
    await expect(fileOf(id, tenant.operatorWith(['APPROVE']))).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    await expect(fileOf(id, merchant.actor)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
  });

  describe('over HTTP', () => {
    let app: FastifyInstance;
    let url: string;
    let token: string;

    beforeAll(async () => {
      app = await buildGraphServer(tenant.graph, pino({ level: 'silent' }));
      url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
      ({ token } = await new OperatorClient(url).run<{ token: string }>('Login', {
        login: 'admin',
        password: 'a password of the tests',
      }));
    });
    afterAll(async () => {
      await app.close();
    });

    const ATTACH =
      'mutation ($orderNo: String!, $proof: String!) { attachTransferProof(orderNo: $orderNo, proof: $proof) { orderNo } }';
    const send = async (
      place: string,
      body: Readonly<Record<string, unknown>>,
      authorization = `Bearer ${token}`,
    ): Promise<{ status: number; code: string | undefined }> => {
      const answer = await fetch(`${url}${place}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify(body),
      });
      const { errors } = (await answer.json()) as { errors?: { extensions: { code: string } }[] };
      return { status: answer.status, code: errors?.[0]?.extensions.code };
    };
    // Larger than the limit of other requests.
    const proof = png(200 * 1024).toString('base64');

    it('is sent to the route for files', async () => {
      const { orderNo } = await underWay();
      const variables = { orderNo, proof };
      expect(await send('/files', { query: ATTACH, variables })).toEqual({
        status: 200,
        code: undefined,
      });
      expect(await proofsOf(orderNo)).toHaveLength(1);
    });

    it.each([['{ me { login } }'], ['mutation { logout { ok } }'], [`${ATTACH.slice(0, -1)} logout { ok } }`]])(
      'the route for files refuses other operations: %s',
      async (query) => {
        const variables = { orderNo: 'W', proof: '' };
        expect(await send('/files', { query, variables })).toMatchObject({ status: 400 });
        expect(await send('', { query: '{ me { login } }' })).toMatchObject({ status: 200 });
      },
    );

    it('the body is read only for an operator', async () => {
      const small = { query: ATTACH, variables: { orderNo: 'W', proof: 'AAAA' } };
      expect(await send('/files', small, '')).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
      expect(await send('/files', small, 'Bearer wrong')).toEqual({
        status: 401,
        code: 'UNAUTHENTICATED',
      });
    });
  });
});
