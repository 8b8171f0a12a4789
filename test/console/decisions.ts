import type { Page } from 'playwright-core';
import { answering } from '../support/receiver';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';
import { pressAtOnce } from './typing';

/** Withdrawals that people decide by keyboard. */
export const decisions = (get: () => Testbed): void => {
  describe('withdrawals that wait', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      testbed.answerWith(answering(200));
      await testbed.fund('9000.00');
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('are decided by keyboard, beside their evidence', async () => {
      const [first, second, third] = [
        await testbed.withdrawal({ amount: '101.00' }),
        await testbed.withdrawal({ amount: '102.00' }),
        await testbed.withdrawal({ amount: '103.00' }),
      ];
      await testbed.go(page, 'withdrawals');
      const evidence = page.getByRole('complementary');
      // The longest waiting one comes first.
      await evidence.getByRole('link', { name: `Open ${first}` }).waitFor();
      await evidence.getByText('New beneficiary').waitFor();
      await evidence.getByText('Yes', { exact: true }).waitFor();
      await testbed.inspect(page, 'withdrawals');
      await testbed.typeBehindKeys(page, 'cox');

      await pressAtOnce(page, 'jj');
      await evidence.getByRole('link', { name: `Open ${third}` }).waitFor();
      await page.keyboard.press('k');
      await evidence.getByRole('link', { name: `Open ${second}` }).waitFor();
      await page.keyboard.press('c');
      await evidence.getByText(testbed.sandbox.operator.login).first().waitFor();
      // Under Caps Lock a key sends its capital without Shift.
      await page.keyboard.press('R');
      const dialog = page.getByRole('dialog');
      for (const shown of ['102.00 THB', 'Ann Example', '001-555-9', 'New beneficiary'])
        await dialog.getByText(shown).waitFor();
      await dialog.getByText('none set', { exact: true }).waitFor();
      await typeInto(dialog.getByLabel('Remarks'), 'the account is closed');
      await testbed.inspect(page, 'withdrawal-reject');
      // Below a dialog no shortcut acts.
      await dialog.getByRole('button', { name: 'Back' }).focus();
      for (const key of ['j', '/', 'Control+k']) await page.keyboard.press(key);
      expect(page.url()).toContain(second);
      await dialog.getByRole('button', { name: 'Reject' }).click();
      await dialog.getByText('the withdrawal is REJECTED').waitFor();
      await dialog.getByText('Close', { exact: true }).click();
      await dialog.waitFor({ state: 'detached' });

      for (const orderNo of [first, third]) await page.getByRole('checkbox', { name: `Select ${orderNo}` }).check();
      // Keys with modifiers mean other things; the checkbox that has the focus takes no letters.
      for (const key of ['Control+a', 'Alt+a', 'Shift+A']) await page.keyboard.press(key);
      expect(await dialog.count()).toBe(0);
      await page.keyboard.press('a');
      await dialog.getByText('204.00 THB').waitFor();
      for (const shown of ['2 of 2', 'Your limit each, THB', 'no limit'])
        await dialog.getByText(shown, { exact: true }).waitFor();
      await dialog.getByText('Amount, beneficiary and findings of each').click();
      const each = dialog.getByRole('list', { name: 'Withdrawals to decide' });
      for (const shown of ['101.00 THB', '103.00 THB']) await each.getByText(shown).waitFor();
      await testbed.inspect(page, 'withdrawals-approve');
      await dialog.getByRole('button', { name: 'Approve' }).click();
      for (const orderNo of [first, third]) await dialog.getByRole('listitem').filter({ hasText: orderNo }).waitFor();
      await testbed.inspect(page, 'withdrawals-decided');
    });
  });
};
