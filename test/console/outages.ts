import type { Page } from 'playwright-core';
import postgres from 'postgres';
import type { Testbed } from './testbed';

/** The console while the platform or the network is down. */
export const outages = (get: () => Testbed): void => {
  describe('during an outage', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
      testbed.expectFailedRequests(page);
    });
    afterAll(async () => {
      await page.context().close();
    });

    /** Runs `work` while every operation answers 503. */
    async function while503(work: () => Promise<void>): Promise<void> {
      await page.route('**/graphql', async (route) => {
        await route.fulfill({
          status: 503,
          contentType: 'application/json',
          body: JSON.stringify({
            errors: [{ message: 'try again later', extensions: { code: 'SERVICE_UNAVAILABLE' } }],
          }),
        });
      });
      await work().finally(async () => {
        await page.unroute('**/graphql');
      });
    }

    it('shows an outage, and returns to the same page afterwards', async () => {
      await while503(async () => {
        await testbed.go(page, 'deposits?status=COMPLETED');
        await page.getByRole('heading', { name: 'Not available at the moment' }).waitFor();
        await testbed.inspect(page, 'unavailable');
      });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Deposits' }).waitFor();
      expect(page.url()).toContain('status=COMPLETED');
    });

    it('keeps a page’s data while its refresh fails', async () => {
      await page.clock.install();
      await testbed.go(page, 'audit');
      await page.getByRole('table', { name: 'Audit log' }).waitFor();
      await while503(async () => {
        // Each page refreshes every 10 seconds.
        await page.clock.fastForward('00:11');
        await page.getByRole('alert').getByText('It should be back soon').waitFor();
        expect(await page.getByRole('table', { name: 'Audit log' }).count()).toBe(1);
        await testbed.inspect(page, 'unavailable-later');
        await page.getByRole('link', { name: 'Merchants' }).click();
        await page.getByRole('alert').getByText('Not available at the moment').waitFor();
        await testbed.inspect(page, 'unavailable-page');
      });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table', { name: 'Merchants' }).waitFor();
    });

    it('says in its header that money does not move', async () => {
      await page.getByText('Live', { exact: true }).waitFor();
      const sql = postgres(testbed.sandbox.databaseUrl, { max: 1 });
      await sql`
        insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
        values (gen_random_uuid(), 'deposit', 'deposit:D20300101XXXXXXXXXXXX', '{}', 1,
          now() + interval '1 hour', 0, now() - interval '1 hour')`;
      await page.getByText('Stalled', { exact: true }).waitFor();
      await testbed.inspect(page, 'stalled');
      await page.getByText('Stalled', { exact: true }).hover();
      await page.getByText('wait in the outbox').waitFor();
      await sql`delete from outbox where key = 'deposit:D20300101XXXXXXXXXXXX'`;
      await sql.end();
    });

    it('shows a lost network, and recovers once it is back', async () => {
      await page.getByText('Live', { exact: true }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Accounts' }).click();
      await page.getByText('No connection').waitFor();
      await testbed.inspect(page, 'offline');
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table', { name: 'Accounts' }).waitFor();
    });
  });
};
