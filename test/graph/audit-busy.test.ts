import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../db/client';
import { adminOf, createTestDatabase } from '../support/database';
import { PATIENCE, Tenant } from '../support/tenant';

/** Longer than a statement waits for a row lock (db/client.ts), shorter than two such waits. */
const HELD_MS = 3_000;

describe('while the end of the audit log is locked', () => {
  it('a finished mutation is recorded after the release', async () => {
    const made = await createTestDatabase();
    const tenant = await Tenant.create(made, { patience: 1 });
    const accountId = await tenant.account();
    const admin = adminOf(made.url);
    let holding = (): void => undefined;
    const held = new Promise<void>((resolve) => (holding = resolve));
    const others = openDatabase({ url: made.url, applicationName: 'other', patience: PATIENCE });
    const other = others.transaction(async (tx) => {
      await tx`select 1 from audit_head for update`;
      holding();
      await sleep(HELD_MS);
    });
    await held;

    await tenant.notify({ accountId, memo: 'of nobody' });
    await other;
    const noted = await admin`
      select outcome from audit_log where action = 'recordBankNotification'`;
    expect(noted).toEqual([{ outcome: 'OK' }]);
    await others.close();
    await admin.end();
    await tenant.close();
  });
});
