import type { Page } from 'playwright-core';
import postgres, { type Sql } from 'postgres';
import { Simulator } from '../../simulator/server';
import { until } from '../support/until';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

const KEY = { keyId: 'console', secret: 'a secret of the tests' };

/** The recovery page after a restore of the database: its findings, and its end by two people. */
export const recovery = (get: () => Testbed): void => {
  describe('after the database was restored', () => {
    let testbed: Testbed;
    let page: Page;
    let sql: Sql;
    /** Upstreams with payouts that the database lost: one can list what it paid, the other cannot. */
    const [lister, listless] = [new Simulator(KEY), new Simulator(KEY)];
    let unpaid: string;
    let paid: string;

    beforeAll(async () => {
      testbed = get();
      sql = postgres(testbed.sandbox.databaseUrl, { max: 1 });
      ({ page } = await testbed.visitor(0));
      await testbed.fund('900.00');
      listless.configure({ lists: false });
      for (const [channelCode, upstream] of Object.entries({ lister, listless })) {
        const settings = {
          name: channelCode,
          currencies: ['THB'],
          address: { baseUrl: await upstream.listen(), ...KEY },
          banks: [{ currencyCode: 'THB', bankCode: 'KBANK', channelBankCode: '004' }],
        };
        await testbed.operate(
          `mutation ($input: CreateChannelInput!) {
            createChannel(input: $input, reason: "it keeps books") { change { id } }
          }`,
          { input: { channelCode, kind: 'HTTP', settings } },
        );
        await testbed.approveNewest();
      }
      [unpaid, paid] = [await testbed.withdrawal(), await testbed.withdrawal()];
      // A deposit whose report may be in the lost time.
      await testbed.deposit();
      for (const reference of [`${paid}-1`, 'W20300101LOSTLOSTLOST-1'])
        lister.payments.pay(lister.payments.ask({ reference, amount: '100.00', currency: 'THB' }));
    });
    afterAll(async () => {
      await page.context().close();
      await sql.end();
      await lister.close();
      await listless.close();
    });

    const finding = (about: string) =>
      page.getByRole('table', { name: 'Findings' }).getByRole('row').filter({ hasText: about });
    const end = () => page.getByRole('button', { name: 'End the recovery' });
    const dialog = () => page.getByRole('dialog');

    it('shows what no channel knows, what was paid, what is lost, and which reports to repeat', async () => {
      await testbed.go(page, 'recovery');
      await page.getByText('The database was never restored').waitFor();
      await testbed.inspect(page, 'recovery-none');
      await sql`select begin_recovery(gen_random_uuid(), 0, 0, true, now())`;
      await until('every channel was asked', async () => {
        const [row] = await sql`select from recoveries where asked_at is not null`;
        return row;
      });
      await page.reload();
      await page.getByRole('heading', { name: 'RECOVERY goes on' }).waitFor();
      await finding(`withdrawal:${unpaid}`).getByText('Unknown at the channels').waitFor();
      await finding(`withdrawal:${paid}`).getByText('At a channel', { exact: true }).waitFor();
      await finding('payout:lister:W20300101LOSTLOSTLOST-1').getByText('Paid there, unknown here').waitFor();
      await finding('channel:listless').getByText('The channel has no list', { exact: true }).waitFor();
      const reports = page.getByText('Deposits that wait for a report').locator('..');
      await reports.getByText(/^[1-9]\d*$/).waitFor();
      await page.getByText('report all credits and debits since').waitFor();
      await testbed.inspect(page, 'recovery');

      // Requests from before the restore may still be under way at the channels.
      await page.getByText('It cannot end yet').waitFor();
      expect(await end().isDisabled()).toBe(true);
    });

    it('accepts a number that was answered and lost, and refuses one that the database has', async () => {
      const enter = page.getByRole('button', { name: 'Enter a lost number' });
      await enter.click();
      await dialog().getByRole('combobox', { name: 'Merchant' }).click();
      await page.getByRole('option', { name: 'DEMO' }).click();
      const [{ number } = { number: '' }] = await sql<{ number: string }[]>`
        select merchant_order_no as number from withdrawal_orders where order_no = ${unpaid}`;
      const field = dialog().getByRole('textbox', { name: 'Number' });
      await typeInto(field, number);
      await typeInto(dialog().getByRole('textbox', { name: 'Reason' }), 'in the log of the gateway');
      await dialog().getByRole('button', { name: 'Enter' }).click();
      await dialog().getByText('it was not lost').waitFor();
      await typeInto(field, 'lost-4711');
      await testbed.inspect(page, 'recovery-number');
      await dialog().getByRole('button', { name: 'Enter' }).click();
      await dialog().waitFor({ state: 'detached' });
      await finding('number:DEMO:lost-4711').getByText('Number answered and lost').waitFor();
      await finding('number:DEMO:lost-4711').getByText('in the log of the gateway').waitFor();
    });

    it('shows the findings of one kind', async () => {
      await testbed.go(page, 'recovery?kind=UNKNOWN_HERE');
      await finding('W20300101LOSTLOSTLOST-1').waitFor();
      expect(await finding('withdrawal:').count()).toBe(0);
    });

    it('is ended by two people, once no earlier request is under way', async () => {
      await sql`update recoveries set begun_at = asked_at - interval '2 minutes'`;
      await testbed.go(page, 'recovery');
      await end().click();
      await typeInto(dialog().getByRole('textbox', { name: 'Reason' }), 'all is explained');
      await testbed.inspect(page, 'recovery-end');
      await dialog().getByRole('button', { name: 'Propose' }).click();
      await dialog().waitFor({ state: 'detached' });
      // The proposer alone cannot end it.
      await page.reload();
      await page.getByRole('heading', { name: 'RECOVERY goes on' }).waitFor();

      const { page: second, context } = await testbed.visitor(1);
      await testbed.go(second, 'changes?status=PROPOSED');
      await second.getByRole('link', { name: /End the recovery/ }).click();
      await second.getByText('UNKNOWN_HERE 1').first().waitFor();
      await second.getByRole('button', { name: 'Approve', exact: true }).click();
      await typeInto(second.getByLabel('Reason'), 'read every finding');
      await second.getByRole('button', { name: 'Approve and apply' }).click();
      await second.getByText('Change applied.').first().waitFor();
      await context.close();

      await page.reload();
      await page.getByRole('heading', { name: 'The recovery has ended' }).waitFor();
      expect(await end().count()).toBe(0);
      await finding('W20300101LOSTLOSTLOST-1').waitFor();
      await testbed.inspect(page, 'recovery-ended');
    });

    it('lets two people explain what nobody paid', async () => {
      await page.getByRole('button', { name: `Explain withdrawal:${unpaid}` }).click();
      await typeInto(dialog().getByRole('textbox', { name: 'Reason' }), 'compared');
      await typeInto(dialog().getByLabel('Evidence'), 'statement of the bank');
      await testbed.inspect(page, 'recovery-explain');
      await dialog().getByRole('button', { name: 'Propose' }).click();
      await dialog().waitFor({ state: 'detached' });

      const { page: second, context } = await testbed.visitor(1);
      await testbed.go(second, 'changes?status=PROPOSED');
      await second.getByRole('link', { name: /^Explain withdrawal/ }).click();
      await second.getByText('nobody paid it').first().waitFor();
      await second.getByRole('button', { name: 'Approve', exact: true }).click();
      await typeInto(second.getByLabel('Reason'), 'read the statement');
      await second.getByRole('button', { name: 'Approve and apply' }).click();
      await second.getByText('Change applied.').first().waitFor();
      await context.close();

      await page.reload();
      await finding(`withdrawal:${unpaid}`).getByRole('link', { name: 'Explained' }).waitFor();
    });
  });
};
