import type { Page } from 'playwright-core';
import type { Stage } from './stage';

/** The hosted cashier: payers' sessions, and what payers claim. */
export const cashier = (get: () => Stage): void => {
  describe('the cashier', () => {
    let stage: Stage;
    let page: Page;
    beforeAll(async () => {
      stage = get();
      ({ page } = await stage.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('shows the sessions of payers, and ends one', async () => {
      const { session_id: id } = await stage.cashierSession({ user_id: 'malee-3' });
      await stage.go(page, 'cashier');
      await page.getByRole('row').filter({ hasText: 'malee-3' }).waitFor();
      await stage.inspect(page, 'cashier');
      await stage.go(page, `cashier/${id}`);
      await page.getByRole('button', { name: 'End session' }).click();
      await page.getByLabel('Reason').fill('the payer asked for it');
      await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click();
      await page.getByText('Revoked').first().waitFor();
      await stage.inspect(page, 'cashier-session');
    });

    it('says when nobody claims to have paid', async () => {
      await stage.go(page, 'claims');
      await page.getByText('Nobody waits').waitFor();
      await stage.inspect(page, 'claims');
    });
  });
};
