import type { Page } from 'playwright-core';
import postgres from 'postgres';
import { answering } from '../support/receiver';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** A deposit with its timeline, and the list of deposits. */
export const deposits = (get: () => Testbed): void => {
  describe('deposits', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    it('shows a deposit with its live timeline, and resends its callback', async () => {
      testbed.answerWith(answering(404));
      const payment = await testbed.deposit();
      await testbed.go(page, 'deposits');
      await page.getByRole('link', { name: payment.order_no }).click();
      await page.getByText('Now waiting for a transfer of 1500.0000 THB').waitFor();
      await testbed.transfer({ memo: `pay ${payment.remark}` });
      const story = page.getByRole('list', { name: 'Timeline' });
      await story.getByText('Deposit credit posted').waitFor();
      await story.getByText('answered 404').waitFor();
      await page.getByText('Request and answer').click();
      await page.getByText('"event": "deposit.completed"').waitFor();
      await testbed.inspect(page, 'deposit');

      testbed.answerWith(answering(200));
      await page.getByRole('button', { name: 'Resend' }).click();
      await typeInto(page.getByLabel('Reason'), 'the merchant has fixed its server');
      await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
      await story.getByText('answered 200').waitFor();
      expect(testbed.receiver.received).toHaveLength(2);

      expect(await page.getByText('Older entries are in the archive').count()).toBe(0);
      const sql = postgres(testbed.sandbox.databaseUrl, { max: 1 });
      await sql`
        delete from callback_attempts a using notification_logs n
        where n.id = a.notification_id and n.order_no = ${payment.order_no} and a.generation = 1`;
      await sql.end();
      await page.reload();
      await page.getByText('Older entries are in the archive').waitFor();
    });

    it('updates the list of deposits without moving rows', async () => {
      const first = await testbed.deposit({ amount: '99.50' });
      await testbed.go(page, 'deposits?status=PENDING');
      const row = page.getByRole('row').filter({ hasText: first.order_no });
      await row.getByText('Pending').waitFor();
      const before = await page.getByRole('row').count();
      const second = await testbed.deposit({ amount: '125000' });
      const news = page.getByRole('button', { name: '1 new' });
      await news.waitFor();
      // Its status changes in place, although it no longer fits the filter.
      await testbed.transfer({ amount: '99.50', memo: first.remark });
      await row.getByText('Completed').waitFor();
      expect(await page.getByRole('row').count()).toBe(before);
      await news.click();
      await page.getByRole('link', { name: second.order_no }).waitFor();
      await page.getByText('125,000.00').waitFor();
      expect(await row.count()).toBe(0);
      await page.getByRole('button', { name: 'Amount' }).click();
      await page.waitForURL(/sort=-amount/);
      await testbed.inspect(page, 'deposits');
    });

    it('finds a deposit by its remark, by keyboard only', async () => {
      const payment = await testbed.deposit();
      await page.keyboard.press('/');
      await page.keyboard.type(payment.remark);
      await page.getByRole('option', { name: payment.order_no }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: payment.order_no }).waitFor();
      expect(page.url()).toContain(`/console/deposits/${payment.order_no}`);
    });
  });
};
