import type { Page } from 'playwright-core';
import { answering } from '../support/receiver';
import type { Stage } from './stage';

/** Withdrawals: the queue that people work through, and one with its story. */
export const withdrawals = (get: () => Stage): void => {
  describe('withdrawals', () => {
    let stage: Stage;
    let page: Page;
    beforeAll(async () => {
      stage = get();
      stage.answerWith(answering(200));
      await stage.fund('9000.00');
      ({ page } = await stage.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('are worked through by keyboard, with the evidence beside', async () => {
      const [first, second, third] = [
        await stage.withdrawal({ amount: '101.00' }),
        await stage.withdrawal({ amount: '102.00' }),
        await stage.withdrawal({ amount: '103.00' }),
      ];
      await stage.go(page, 'withdrawals');
      const evidence = page.getByRole('complementary');
      // The one that waits longest is looked at first.
      await evidence.getByRole('link', { name: `Open ${first}` }).waitFor();
      await evidence.getByText('New beneficiary').waitFor();
      await evidence.getByText('Yes', { exact: true }).waitFor();
      await stage.inspect(page, 'withdrawals');

      await page.keyboard.press('j');
      await evidence.getByRole('link', { name: `Open ${second}` }).waitFor();
      await page.keyboard.press('c');
      await evidence.getByText(stage.sandbox.operator.login).first().waitFor();
      await page.keyboard.press('r');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Remarks').fill('the account is closed');
      await stage.inspect(page, 'withdrawal-reject');
      await dialog.getByRole('button', { name: 'Reject' }).click();
      await dialog.getByText('the withdrawal is REJECTED').waitFor();
      await dialog.getByText('Close', { exact: true }).click();

      for (const orderNo of [first, third])
        await page.getByRole('checkbox', { name: `Select ${orderNo}` }).check();
      await page.keyboard.press('a');
      await dialog.getByRole('button', { name: 'Approve' }).click();
      for (const orderNo of [first, third])
        await dialog.getByRole('listitem').filter({ hasText: orderNo }).waitFor();
      await stage.inspect(page, 'withdrawals-decided');
    });

    it('tell their story, to the end', async () => {
      const orderNo = await stage.withdrawal({ amount: '250.00' });
      await stage.go(page, `withdrawals/${orderNo}`);
      await page.getByRole('button', { name: 'Approve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Approve' }).click();
      await dialog.getByText('Close', { exact: true }).click();
      const story = page.getByRole('list', { name: 'Timeline' });
      await page.getByText('Completed', { exact: true }).first().waitFor();
      await story.getByText('answered 200').first().waitFor();
      await stage.inspect(page, 'withdrawal');
    });
  });
};
