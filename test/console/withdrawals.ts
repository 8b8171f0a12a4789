import type { Locator, Page } from 'playwright-core';
import { answering } from '../support/receiver';
import { until } from '../support/until';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Withdrawals: the queue of decisions, and one withdrawal with its timeline. */
export const withdrawals = (get: () => Testbed): void => {
  describe('withdrawals', () => {
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

    /** Waits until every order of such an amount has followed its decision. */
    const nonePends = async (min: string, max: string): Promise<void> => {
      await until('no order waits for its decision', async () => {
        const { nodes } = await testbed.operate<{ nodes: readonly object[] }>(
          `query ($min: Decimal!, $max: Decimal!) {
            withdrawals(filter: { status: [PENDING], amount: { min: $min, max: $max } }) { nodes { id } }
          }`,
          { min, max },
        );
        return nodes.length === 0;
      });
    };

    it('are chosen all at once, beyond the page, with their sums before the decision', async () => {
      // One more than a page shows.
      for (let n = 0; n < 51; n++) await testbed.withdrawal({ amount: '1.00' });
      await testbed.go(page, 'withdrawals?min=1&max=1');
      const all = page.getByRole('checkbox', { name: 'Select all that match and wait' });
      await all.click();
      const status = page.getByRole('status').filter({ hasText: '51 withdrawals selected' });
      await status.getByText('51.00 THB').waitFor();
      await testbed.inspect(page, 'withdrawals-all');
      // Another filter starts with none.
      await testbed.go(page, 'withdrawals?min=1&max=2');
      await page.getByRole('table', { name: 'Withdrawals' }).waitFor();
      expect(await all.isChecked()).toBe(false);
      await all.click();
      await status.waitFor();
      await page.getByRole('button', { name: 'Reject 51' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('51.00 THB').waitFor();
      await dialog.getByText('in 51 withdrawals').waitFor();
      await testbed.inspect(page, 'withdrawals-reject-all');
      await typeInto(dialog.getByLabel('Remarks'), 'a test of the merchant');
      await dialog.getByRole('button', { name: 'Reject' }).click();
      const outcomes = dialog.getByRole('list', { name: 'Outcomes' }).getByRole('listitem');
      await outcomes.nth(50).waitFor();
      // On a busy platform the orders follow their decisions later, and another arrives: closing shows what is.
      await nonePends('1.00', '2.00');
      const another = await testbed.withdrawal({ amount: '2.00' });
      await dialog.getByText('Close', { exact: true }).click();
      await page.getByRole('checkbox', { name: `Select ${another}` }).waitFor();
      expect(await page.getByRole('checkbox', { name: /^Select W/ }).count()).toBe(1);
      await page.getByRole('button', { name: 'Reject' }).click();
      await typeInto(dialog.getByLabel('Remarks'), 'a test of the merchant');
      await dialog.getByRole('button', { name: 'Reject' }).click();
      await outcomes.waitFor();
      await nonePends('1.00', '2.00');
      await dialog.getByText('Close', { exact: true }).click();
      await page.getByText('Nothing to review').waitFor();
    });

    it('show on a phone the evidence before the buttons of the list', async () => {
      const orderNo = await testbed.withdrawal({ amount: '104.00' });
      await page.setViewportSize({ width: 390, height: 844 });
      await testbed.go(page, `withdrawals?open=${orderNo}`);
      const evidence = page.getByRole('complementary', { name: `Evidence on ${orderNo}` });
      await evidence.getByRole('button', { name: 'Approve' }).waitFor();
      const top = async (of: Locator): Promise<number> => (await of.boundingBox())?.y ?? NaN;
      const facts = ['Review', 'Beneficiary'].map(
        async (name) => await top(evidence.getByRole('region', { name, exact: true })),
      );
      const shown = Math.max(...(await Promise.all(facts)));
      for (const name of ['Claim', 'Reject', 'Approve']) {
        const button = page.getByRole('button', { name, exact: true });
        expect(await button.count()).toBe(1);
        expect(shown).toBeLessThan(await top(button));
      }
      await testbed.inspect(page, 'withdrawals-phone');
      await page.setViewportSize({ width: 390, height: 844 });
      await evidence.getByRole('button', { name: 'Reject' }).click();
      const dialog = page.getByRole('dialog');
      await typeInto(dialog.getByLabel('Remarks'), 'closed');
      await dialog.getByRole('button', { name: 'Reject' }).click();
      await dialog.getByText('Close', { exact: true }).click();
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it('show their timeline to the end', async () => {
      const orderNo = await testbed.withdrawal({ amount: '250.00' });
      await testbed.go(page, `withdrawals/${orderNo}`);
      const approve = page.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      await testbed.inspect(page, 'withdrawal-pending');
      // On a phone the evidence stands above the button.
      await page.setViewportSize({ width: 390, height: 844 });
      const top = async (of: Locator): Promise<number> => (await of.boundingBox())?.y ?? NaN;
      for (const name of ['Review', 'Money', 'Beneficiary'])
        expect(await top(page.getByRole('region', { name, exact: true }))).toBeLessThan(await top(approve));
      await page.setViewportSize({ width: 1280, height: 800 });
      await approve.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('250.00 THB').waitFor();
      await testbed.inspect(page, 'withdrawal-approve');
      await dialog.getByRole('button', { name: 'Approve' }).click();
      await dialog.getByText('Close', { exact: true }).click();
      const story = page.getByRole('list', { name: 'Timeline' });
      await page.getByText('Completed', { exact: true }).first().waitFor();
      await story.getByText('answered 200').first().waitFor();
      await testbed.inspect(page, 'withdrawal');
    });
  });
};
