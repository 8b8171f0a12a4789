import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import { readEd25519Key } from '../../crypto/ed25519';
import { askBreakGlass, openBreakGlassOnce } from '../../roles/break-glass';
import { readDatabase } from '../../runtime/server-settings';
import { temporaryFolder } from '../support/temporary-folder';
import { newKeys, Tenant } from '../support/tenant';
import { verifyAudit } from '../../steps/audit/verify-audit';

const log = pino({ level: 'silent' });

/** A person from outside, with a key pair. */
function holder(): { readonly key: KeyObject; readonly signs: (text: string) => string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const shown = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  return {
    key: readEd25519Key(shown),
    signs: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

describe('key holders', () => {
  let tenant: Tenant;
  let folder: string;
  const keys = newKeys();
  const [first, second, third] = [holder(), holder(), holder()];
  beforeAll(async () => {
    tenant = await Tenant.create(undefined, { keys });
    folder = temporaryFolder();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const settings = (holders = [first.key, second.key, third.key]) => ({
    breakGlassKeys: holders,
    environment: 'sandbox' as const,
    database: readDatabase({}, tenant.url),
    keys: { ring: keys.ring.all, audit: { own: [], lookup: keys.lookup } },
  });
  const ask = (email: string, at = new Date()): string =>
    askBreakGlass(settings(), [email, 'all', 'admins', 'left'], at);
  let files = 0;
  const open = async (text: string, signatures: readonly string[], given = settings()): Promise<void> => {
    const file = path.join(folder, `request-${files++}.txt`);
    await writeFile(file, text);
    await openBreakGlassOnce(given, [file, ...signatures], log);
  };
  const invited = async (): Promise<{ email: string; roles: string[] }[]> =>
    await tenant.database.sql<{ email: string; roles: string[] }[]>`
      select email, roles from operator_links
      where purpose = 'INVITE' and approved_at is not null order by id`;

  it('invite a person two together, once per request, and raise an alert', async () => {
    const text = ask('rescue@example.com');
    const signatures = [third.signs(text), first.signs(text)];
    await open(text, signatures);
    expect(await invited()).toMatchObject([
      { email: 'rescue@example.com', roles: expect.arrayContaining(['admin', 'approve']) as [] },
    ]);
    const mails = await tenant.database.sql`select event, recipient from mails`;
    expect(mails).toMatchObject([{ event: 'tenant_owner_invite', recipient: 'rescue@example.com' }]);
    const about = { email: 'rescue@example.com', reason: 'all admins left' };
    const alerts = await tenant.database.sql`
      select about from alerts where kind = 'BREAK_GLASS'`;
    expect(alerts).toEqual([{ about }]);
    const [noted] = await tenant.list('AuditLog', { filter: { action: ['breakGlass'] } });
    expect(noted).toMatchObject({ reason: about.reason, after: { holders: [1, 3] } });
    await expect(open(text, signatures)).rejects.toThrow('was used before');
    expect(await invited()).toHaveLength(1);
  });

  it.each([
    ['one alone', (text: string) => [first.signs(text)], '1 did'],
    ['one twice', (text: string) => [first.signs(text), first.signs(text)], '1 did'],
    ['a stranger', (text: string) => [first.signs(text), holder().signs(text)], '1 did'],
    ['nobody', () => [], '0 did'],
    ['somebody who signed another', (text: string) => [first.signs(text), second.signs(`${text}\n`)], '1 did'],
  ])('are not %s', async (_who, signatures, why) => {
    const text = ask('stranger@example.com');
    const before = await invited();
    await expect(open(text, signatures(text))).rejects.toThrow(`2 different key holders must sign; ${why}`);
    expect(await invited()).toEqual(before);
  });

  it('sign for an hour, for this environment and for this request', async () => {
    const hour = 3_600_000;
    const bothSign = (text: string): string[] => [first.signs(text), second.signs(text)];
    const old = ask('late@example.com', new Date(Date.now() - hour - 1_000));
    await expect(open(old, bothSign(old))).rejects.toThrow('valid for 60 minutes');
    const early = ask('early@example.com', new Date(Date.now() + hour));
    await expect(open(early, bothSign(early))).rejects.toThrow('valid for 60 minutes');
    const other = ask('a@example.com').replace('sandbox', 'production');
    await expect(open(other, bothSign(other))).rejects.toThrow('not a request');
    const longer = `${ask('a@example.com')}and more\n`;
    await expect(open(longer, bothSign(longer))).rejects.toThrow('not a request');
    const text = ask('a@example.com');
    await expect(open(text, bothSign(text), settings([first.key]))).rejects.toThrow('BREAK_GLASS');
  });

  it('invite no existing operator', async () => {
    await tenant.database.sql`
      update operators set email = 'Here@example.com' where login = 'admin'`;
    const text = ask('here+again@example.com');
    await expect(open(text, [first.signs(text), second.signs(text)])).rejects.toThrow('an operator has this address');
  });

  it('sign an address and a reason', () => {
    for (const args of [[], ['rescue@example.com'], ['no address', 'why'], ['a@example.com', ' ']])
      expect(() => askBreakGlass(settings(), args, new Date())).toThrow('takes an e-mail address');
  });

  it('leave an audit log that is whole', async () => {
    const { signer } = tenant.graph.core;
    expect((await verifyAudit(tenant.database, signer)).faults).toEqual([]);
  });
});
