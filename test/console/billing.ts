import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import postgres from 'postgres';
import { BILLED_TYPES, FEE_TYPES } from '../../domain/billing';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Merchants' billing statements, over the postings of the earlier parts. */
export const billing = (get: () => Testbed): void => {
  describe('billing statements', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('are sent to addresses that two people agree on', async () => {
      await testbed.go(page, 'events');
      await page.getByText('No addresses').waitFor();
      await page.getByRole('button', { name: 'Set addresses' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Merchant' }).click();
      await page.getByRole('option', { name: testbed.sandbox.merchant.code }).click();
      await typeInto(dialog.getByLabel('Mail addresses'), 'books@merchant.example');
      await page.keyboard.press('Enter');
      await typeInto(dialog.getByRole('textbox', { name: 'Reason' }), 'asked for by its accountant');
      await testbed.inspect(page, 'event-addresses');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      // As the schedule does, once this month has ended.
      const sql = postgres(testbed.sandbox.databaseUrl, { max: 1 });
      await sql`select seal_ledger('00000000-0000-0000-0000-000000000000', 1000000, now())`;
      await sql`
        select issue_billing_statement(${testbed.sandbox.merchant.id}, 'THB', ${BILLED_TYPES as string[]},
          ${FEE_TYPES as string[]}, now() + interval '35 days')`;
      await sql.end();
      await page.reload();
      const addresses = page.getByRole('table', { name: 'Addresses' });
      await addresses.getByText('books@merchant.example').waitFor();
      const deliveries = page.getByRole('table', { name: 'Deliveries' });
      await deliveries.getByText('books@merchant.example').waitFor();
      await testbed.inspect(page, 'events');
    });

    it('have a webhook whose secret is fetched by a person other than its proposer', async () => {
      await testbed.operate(
        `mutation { putEventAddresses(input: {event: alert_raised, webhookUrl: "https://alerts.example/hook", toOwner: true},
          reason: "the house's alerts") { secret } }`,
      );
      await testbed.approveNewest();
      const addresses = page.getByRole('table', { name: 'Addresses' });
      await testbed.go(page, 'events');
      await addresses.getByText('https://alerts.example/hook').waitFor();
      // The proposer gets no button. The demo has no second person with CONFIGURE.
      expect(await page.getByRole('button', { name: 'Fetch the secret' }).count()).toBe(0);
      const sql = postgres(testbed.sandbox.databaseUrl, { max: 1 });
      // A trigger refuses every change of addresses: it is off meanwhile.
      await sql`set session_replication_role = replica`;
      await sql`
        update event_addresses set created_by = 'operator:' || ${randomUUID()}::text where event = 'alert_raised'`;
      await sql.end();
      await page.reload();
      await page.getByRole('button', { name: 'Fetch the secret' }).click();
      await typeInto(page.getByRole('textbox', { name: 'Reason' }), 'for the program that gets them');
      await testbed.inspect(page, 'event-secret');
      await page.getByRole('button', { name: 'Show the secret' }).click();
      await page.getByText('Shown only once').waitFor();
      await page.getByLabel('I have stored it').check();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Fetch the secret' }).waitFor({ state: 'detached' });
    });

    it('are listed, and one shows the movements behind its balance', async () => {
      const { code } = testbed.sandbox.merchant;
      await testbed.go(page, 'billing');
      await page
        .getByRole('link', { name: /^\d{4}-\d{2}/ })
        .first()
        .waitFor();
      await testbed.inspect(page, 'billing');
      await page
        .getByRole('link', { name: /^\d{4}-\d{2}/ })
        .first()
        .click();
      await page.getByRole('heading', { name: `Statement ${code}-THB-0001` }).waitFor();
      const movements = page.getByRole('region', { name: 'Movements' });
      await movements.getByText('Opening balance').waitFor();
      await page.getByText(/^1\s?–\s?(28|29|30|31) \w+ 20\d\d \(UTC\)$/).waitFor();
      await movements.getByText('Deposits', { exact: true }).waitFor();
      await testbed.inspect(page, 'billing-statement');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`${code}-THB-0001.csv`);
    });

    it('print without navigation and buttons', async () => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
      expect(await page.getByText('Closing balance').isVisible()).toBe(true);
      await page.emulateMedia({ media: null });
    });
  });
};
