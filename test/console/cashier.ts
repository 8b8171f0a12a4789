import type { Page } from 'playwright-core';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** The hosted cashier: sessions and payment claims. */
export const cashier = (get: () => Testbed): void => {
  describe('the cashier', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('shows the sessions of payers, and ends one', async () => {
      const { session_id: id } = await testbed.cashierSession({ user_id: 'malee-3' });
      await testbed.go(page, 'cashier');
      await page.getByRole('row').filter({ hasText: 'malee-3' }).waitFor();
      await testbed.inspect(page, 'cashier');
      await testbed.go(page, `cashier/${id}`);
      await page.getByRole('button', { name: 'End session' }).click();
      await typeInto(page.getByLabel('Reason'), 'the payer asked for it');
      await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click();
      await page.getByText('Revoked').first().waitFor();
      await testbed.inspect(page, 'cashier-session');
    });

    it('shows an empty list of claims', async () => {
      await testbed.go(page, 'claims');
      await page.getByText('No open claims').waitFor();
      await testbed.inspect(page, 'claims');
    });
  });
};
