import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { answering } from '../support/receiver';
import { stuckWorkflows } from '../support/runbook';
import { findInTemporalUi } from '../support/temporal-ui';
import { until } from '../support/until';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** A healthy upstream that never reports the outcome of a payout. */
async function silentUpstream(): Promise<{ server: Server; baseUrl: string }> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/health')) response.end('{"status":"up"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Payouts that need people: manual ones, and those with an unknown outcome. */
export const payouts = (get: () => Testbed): void => {
  describe('payouts by people', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      testbed.answerWith(answering(200));
      await testbed.fund('3000.00');
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    /** A withdrawal that a second person has approved. @returns its gateway number */
    async function approved(amount: string): Promise<string> {
      const orderNo = await testbed.withdrawal({ amount });
      await testbed.operate(
        'mutation ($orderNo: String!) { approveWithdrawal(orderNo: $orderNo) { applied } }',
        { orderNo },
        1,
      );
      return orderNo;
    }

    /** Enables or disables the sandbox's channel. */
    async function setChannel(enabled: boolean): Promise<void> {
      await testbed.operate(
        `mutation ($id: ID!, $enabled: Boolean!) {
          setChannelEnabled(id: $id, enabled: $enabled, reason: "looked into") { change { id } }
        }`,
        { id: testbed.sandbox.channels[0]?.id, enabled },
      );
      if (enabled) await testbed.approveNewest();
    }

    /** An engineer finds it in the Temporal UI by the runbook's query, and its order by the link in its details. */
    async function expectFoundInTemporal(orderNo: string): Promise<void> {
      const engineer = await page.context().browser()?.newContext();
      if (!engineer) throw new Error('no browser');
      const query = stuckWorkflows().get('a payout that a person has to make')?.query ?? '';
      const ui = await engineer.newPage();
      const uiUrl = testbed.sandbox.temporalUi ?? '';
      const row = await findInTemporalUi(ui, uiUrl, query, `withdrawal:${orderNo}`);
      await row.click();
      await ui.getByText('User Metadata').first().click();
      // Temporal shows the details in a frame of their own.
      const href = await until('the details have a link', async () => {
        for (const frame of ui.frames()) {
          const link = frame.getByRole('link', { name: `${orderNo} in the console` });
          if ((await link.count()) > 0) return (await link.getAttribute('href')) ?? undefined;
        }
        return undefined;
      });
      expect(href).toBe(`${testbed.sandbox.console}withdrawals/${orderNo}`);
      await engineer.close();
    }

    it('are claimed, sent and completed by hand, with the details to type at the bank', async () => {
      await testbed.go(page, 'tasks');
      await page.getByText('No manual payouts').waitFor();
      await setChannel(false);
      const orderNo = await approved('640.00');
      // The page announces a new payout, and shows it on request.
      await page.getByRole('button', { name: '1 new' }).click();
      const task = page.getByRole('complementary', { name: `Manual payout for ${orderNo}` });
      await task.getByText('Waiting for an operator to claim it.').waitFor();
      await expectFoundInTemporal(orderNo);
      await task.getByRole('button', { name: 'Copy account' }).waitFor();
      await page.getByRole('link', { name: /Manual payouts.*1 waiting/ }).waitFor();
      await testbed.inspect(page, 'tasks');
      await testbed.typeBehindKeys(page);

      const dialog = page.getByRole('dialog');
      // A dialog stays with its payout while the list moves on to another.
      const other = await approved('641.00');
      await page.getByRole('button', { name: '1 new' }).click();
      await page.getByRole('link', { name: other }).click();
      await page.locator(`aside[aria-label="Manual payout for ${other}"]`).waitFor();
      await page.keyboard.press('c');
      await dialog.getByRole('heading', { name: `Claim ${other}` }).waitFor();
      await page.goBack();
      await page.locator(`aside[aria-label="Manual payout for ${orderNo}"]`).waitFor();
      expect(await dialog.getByRole('heading', { name: `Claim ${other}` }).count()).toBe(1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      await page.keyboard.press('c');
      await dialog.getByRole('combobox', { name: 'Paid from' }).click();
      await page.getByRole('option', { name: /Demo THB/ }).click();
      await testbed.inspect(page, 'task-claim');
      await dialog.getByRole('button', { name: 'Claim' }).click();
      await task.getByText(`${testbed.sandbox.operator.login} (you)`).waitFor();
      // The dialog keeps the keyboard focus until it has closed.
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press('s');
      await dialog.getByRole('button', { name: 'Send now' }).click();
      await task.getByText('You are sending it.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      // The sender cannot release it, as the task says when it is read again.
      const release = task.getByRole('button', { name: 'Return to the queue' });
      await release.waitFor({ state: 'detached' });
      expect(await task.getByText('Proof', { exact: true }).count()).toBe(0);
      await testbed.inspect(page, 'task-sending');
      await testbed.typeBehindKeys(page);
      await page.keyboard.press('p');
      await typeInto(dialog.getByLabel('Bank reference'), 'scbpour88k01jcx');
      const proof = Buffer.from(`%PDF-1.7 ${'of the bank '.repeat(10_000)}`);
      await page.locator('input[type=file]').setInputFiles({
        name: 'transfer.pdf',
        mimeType: 'application/pdf',
        buffer: proof,
      });
      await testbed.inspect(page, 'task-complete');
      // Without the bank's debit another treasurer would have to confirm it.
      await testbed.debit({
        amount: '640.00',
        bank_reference: 'scbpour88k01jcx',
        payee_name: 'Ann Example',
        payee_account: '001-555-9',
      });
      await dialog.getByRole('button', { name: 'Complete' }).click();
      await task.getByText('scbpour88k01jcx', { exact: true }).waitFor();
      await page.getByRole('row').filter({ hasText: orderNo }).getByText('Completed').waitFor();
      await testbed.inspect(page, 'task-done');
      await task.getByRole('link', { name: `Open ${orderNo}` }).click();
      await page.getByText('Transfer proof attached').waitFor();
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save the PDF' }).click();
      expect(readFileSync(await (await saving).path()).equals(proof)).toBe(true);
      await testbed.inspect(page, 'withdrawal-proof');
      await setChannel(true);
    });

    it('pay merchants their balance, to accounts registered by two people', async () => {
      await testbed.go(page, 'settlements?tab=accounts');
      await page.getByText('No settlement accounts').waitFor();
      await page.getByRole('button', { name: 'Register' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Merchant' }).click();
      await page.getByRole('option', { name: 'DEMO' }).click();
      await dialog.getByRole('combobox', { name: 'Currency' }).click();
      await page.getByRole('option', { name: 'THB' }).click();
      await typeInto(dialog.getByLabel('Bank code'), 'SCB');
      await typeInto(dialog.getByLabel('Account number'), '777-1-23456-8');
      await typeInto(dialog.getByLabel('Holder'), 'Demo Merchant Ltd.');
      await typeInto(dialog.getByLabel('Reason'), 'their letter of today');
      await testbed.inspect(page, 'settlement-account-new');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await dialog.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      await page.getByRole('row').filter({ hasText: '777-1-23456-8' }).waitFor();
      await testbed.inspect(page, 'settlement-accounts');

      await page.getByRole('tab', { name: 'Settlements' }).click();
      await page.getByRole('button', { name: 'Propose a file' }).click();
      await typeInto(dialog.getByLabel('Reason'), 'the week');
      await page.locator('input[type=file]').setInputFiles({
        name: 'week.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'reference,merchant,currency,amount,account\nweek-47,DEMO,THB,55.00,\nweek-48,DEMO,EUR,1.00,\n',
        ),
      });
      await dialog.getByRole('button', { name: 'Propose' }).click();
      const outcomes = dialog.getByRole('listitem');
      await outcomes.filter({ hasText: 'week-47' }).getByText('Proposed').waitFor();
      await outcomes.filter({ hasText: 'week-48' }).getByText('Refused').waitFor();
      await testbed.inspect(page, 'settlement-file');
      await dialog.getByText('Close', { exact: true }).click();
      await page.getByRole('row').filter({ hasText: 'week-47' }).getByText('55.00 THB').waitFor();
      await testbed.inspect(page, 'settlements');
    });

    it('show bank debits, and a person explains other debits', async () => {
      const bankReference = 'CHARGE-11';
      await testbed.transfer({
        direction: 'debit',
        amount: '12.00',
        memo: 'monthly charge',
        bank_reference: bankReference,
        payee_name: 'Kasikornbank',
      });
      await testbed.go(page, 'debits');
      const row = page.getByRole('row').filter({ hasText: bankReference });
      await row.getByText('Unexplained').waitFor();
      await testbed.inspect(page, 'debits');
      await row.getByRole('button', { name: 'Explain' }).click();
      const dialog = page.getByRole('dialog');
      await typeInto(dialog.getByLabel('Reason'), 'the bank charges it each month');
      await testbed.inspect(page, 'debit-explain');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row.getByText('the bank charges it each month').waitFor();
    });

    it('with an unknown outcome are resolved by two people, with evidence', async () => {
      await testbed.go(page, 'interventions');
      await page.getByText('No payouts with unknown outcome').waitFor();
      const { server, baseUrl } = await silentUpstream();
      const settings = {
        name: 'Silent',
        currencies: ['THB'],
        priority: 0,
        minAmount: '777',
        maxAmount: '777',
        timeoutSeconds: 1,
        answerWithinSeconds: 1,
        address: { baseUrl, keyId: 'console', secret: 'a secret of the tests' },
        banks: [{ currencyCode: 'THB', bankCode: 'KBANK', channelBankCode: '004' }],
      };
      await testbed.operate(
        `mutation ($input: CreateChannelInput!) {
          createChannel(input: $input, reason: "one that keeps silent") { change { id } }
        }`,
        { input: { channelCode: 'silent', kind: 'HTTP', settings } },
      );
      await testbed.approveNewest();
      const orderNo = await approved('777.00');
      await page.getByRole('button', { name: '1 new' }).click();
      const beside = page.getByRole('complementary', { name: `Intervention for ${orderNo}` });
      await beside.getByRole('list', { name: 'Payout attempts' }).getByText('Silent').first().waitFor();
      // Also on a phone the evidence stands above the button.
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        const [tries, button] = await Promise.all(
          [
            beside.getByRole('list', { name: 'Payout attempts' }),
            beside.getByRole('button', { name: 'Record the outcome' }),
          ].map(async (one) => await one.boundingBox()),
        );
        expect(tries?.y).toBeLessThan(button?.y ?? 0);
      }
      await testbed.inspect(page, 'interventions');
      await testbed.typeBehindKeys(page);
      await page.keyboard.press('f');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('777.00 THB').waitFor();
      await dialog.getByRole('radio', { name: /^Paid/ }).check();
      await typeInto(dialog.getByLabel('Bank reference'), 'SCB-9001');
      await typeInto(dialog.getByLabel('Reason'), 'asked the channel by telephone');
      await typeInto(dialog.getByLabel('Evidence'), 'their statement of today, line 14');
      await testbed.inspect(page, 'intervention-finding');
      await dialog.getByRole('button', { name: 'Propose' }).click();
      await beside.getByText('You may not approve it').waitFor();
      await testbed.inspect(page, 'intervention-proposed');

      const { page: second, context } = await testbed.visitor(1);
      await testbed.go(second, `interventions?open=${orderNo}`);
      await second.getByRole('button', { name: 'Approve', exact: true }).click();
      const approval = second.getByRole('dialog');
      for (const shown of ['777.00 THB', 'Ann Example', 'SCB-9001'])
        await approval.getByText(shown, { exact: true }).waitFor();
      await typeInto(second.getByLabel('Reason'), 'saw the statement');
      await testbed.inspect(second, 'intervention-approve');
      await second.getByRole('button', { name: 'Approve and apply' }).click();
      await second.getByText('No payouts with unknown outcome').or(second.getByText('The outcome is known')).waitFor();
      await context.close();
      // The proposer's page updates.
      await beside.getByText('The outcome is known').waitFor();
      server.closeAllConnections();
      server.close();
    });
  });
};
