import type { Page } from 'playwright-core';
import postgres from 'postgres';
import { typeInto } from '../support/type-into';
import type { Testbed } from './testbed';

/** Channels, pools, the routing of a deposit, endpoints of callbacks, work that Temporal refused. */
export const channels = (get: () => Testbed): void => {
  describe('channels and routing', () => {
    let testbed: Testbed;
    let page: Page;
    beforeAll(async () => {
      testbed = get();
      ({ page } = await testbed.visitor(0));
    });
    afterAll(async () => {
      await page.context().close();
    });

    const dialog = () => page.getByRole('dialog');
    const field = (name: string) => dialog().getByRole('textbox', { name, exact: true });
    const propose = async (reason: string): Promise<void> => {
      await typeInto(dialog().getByLabel('Reason'), reason);
      await dialog().getByRole('button', { name: 'Propose' }).click();
      await dialog().getByRole('button', { name: 'Propose' }).waitFor({ state: 'detached' });
      await testbed.approveNewest();
    };

    it('adds a channel by two people, changes it, sets its outcome and closes it at once', async () => {
      await testbed.go(page, 'channels');
      await page.getByRole('link', { name: 'Mock channel' }).waitFor();
      await testbed.inspect(page, 'channels');
      await page.getByRole('button', { name: 'Add a channel' }).click();
      await typeInto(field('Code'), 'by-hand');
      await typeInto(field('Name'), 'Made by hand');
      await typeInto(dialog().getByLabel('Takes deposits in').first(), 'THB');
      await dialog().getByLabel('Takes deposits in').first().press('Enter');
      await typeInto(dialog().getByLabel('Greatest deposit'), '400');
      await typeInto(dialog().getByLabel('Daily limit of deposits'), '900');
      await typeInto(dialog().getByLabel('Payments of deposits a month'), '30');
      await typeInto(dialog().getByLabel('Failures in a row'), '5');
      await testbed.inspect(page, 'channel-new');
      await propose('a second way to take deposits');
      await page.reload();
      await page.getByRole('link', { name: 'Made by hand' }).click();
      await page.getByRole('heading', { name: 'Made by hand' }).waitFor();
      await page.getByText('… – 400.00').waitFor();
      await page.getByText('Passed over after 5 in a row').waitFor();
      const limits = page.getByRole('table', { name: 'Limits of deposits' });
      for (const name of ['today', 'payments this month'])
        await limits
          .getByRole('progressbar', { name: `Made by hand, THB ${name}: 0 % used` })
          .waitFor({ state: 'attached' });
      await testbed.inspect(page, 'channel');
      await page.getByRole('button', { name: 'Set the outcome' }).click();
      await dialog().getByRole('combobox', { name: 'Outcome' }).click();
      await page.getByRole('option', { name: 'Failed' }).click();
      await typeInto(dialog().getByLabel('Reason'), 'to see a failure');
      await dialog().getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByText('Failed', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await typeInto(dialog().getByLabel('Greatest deposit'), '450');
      await propose('they take a little more');
      await page.reload();
      await page.getByText('… – 450.00').waitFor();
    });

    it('writes routing rules with a dry run and a replay, and two people put them in force', async () => {
      await testbed.go(page, 'routing');
      await page.getByText('No routing rules').waitFor();
      await page.getByRole('button', { name: 'New routing rules' }).click();
      await typeInto(field('Currency'), 'THB');
      await typeInto(field('Name of rule 1'), 'Large ones');
      await typeInto(field('From amount'), '400');
      const target = dialog().getByRole('combobox', { name: 'Goes to' });
      await target.click();
      await page.getByRole('option', { name: 'Account Demo THB' }).click();
      await dialog().getByRole('button', { name: 'Add a rule' }).click();
      await typeInto(field('Name of rule 2'), 'The rest');
      await dialog().getByRole('combobox', { name: 'Try an order of' }).click();
      await page.getByRole('option').first().click();
      await typeInto(field('Of this amount'), '500');
      const where = dialog().getByRole('list', { name: 'Where it would go' });
      await where.getByText('it fits rule 1 of the draft, Large ones').waitFor();
      await dialog().getByRole('button', { name: "Replay yesterday's deposits" }).click();
      await dialog()
        .getByText(/deposits: \d+ moved/)
        .waitFor();
      await testbed.inspect(page, 'routing-rules-new');
      await propose('large ones go to our own account');
      await page.reload();
      const rules = page.getByRole('row').filter({ hasText: 'THB deposits' });
      await rules.getByText('Large ones: from 400.00').waitFor();
      await testbed.inspect(page, 'routing-rules');
      await page.getByRole('button', { name: 'Change THB deposits, version 1' }).click();
      await dialog().getByRole('button', { name: 'Move rule 2 up' }).click();
      expect(await field('Name of rule 1').inputValue()).toBe('The rest');
      await dialog().getByRole('button', { name: 'Remove rule 1' }).click();
      await dialog().getByRole('button', { name: 'Remove rule 1' }).click();
      await propose('as it was');
      await page.reload();
      await rules.getByText('None: default routing').waitFor();
    });

    it('replays a draft of payout rules over the payouts of yesterday', async () => {
      await testbed.go(page, 'routing');
      await page.getByRole('button', { name: 'New routing rules' }).click();
      await typeInto(field('Currency'), 'THB');
      await dialog().getByRole('combobox', { name: 'Orders' }).click();
      await page.getByRole('option', { name: 'Payouts' }).click();
      await typeInto(field('Name of rule 1'), 'All to the own pool');
      await dialog().getByRole('button', { name: "Replay yesterday's payouts" }).click();
      const replay = dialog().getByRole('status', { name: 'Replay' });
      await replay.getByText(/payouts: \d+ moved, \d+ to people/).waitFor();
    });

    it('says why an account or a channel would not take 500 THB', async () => {
      await testbed.go(page, 'routing');
      await typeInto(page.getByLabel('Currency'), 'THB');
      await typeInto(page.getByLabel('Amount'), '500');
      await page.getByRole('button', { name: 'Ask' }).click();
      const channel = page.getByRole('row').filter({ hasText: 'Made by hand' });
      await channel.getByText('Above maximum').waitFor();
      const account = page.getByRole('row').filter({ hasText: 'Demo THB' });
      await account.getByText('Takes it').waitFor();
      await testbed.inspect(page, 'routing');
    });

    it('shows the health of channels and accounts, and enters and ends an outage', async () => {
      await testbed.go(page, 'health');
      await page.getByText('No outages.').waitFor();
      const ours = page.getByRole('table', { name: 'Channels' }).getByRole('row').filter({ hasText: 'Made by hand' });
      await ours.getByText('Healthy').waitFor();
      await page.getByRole('button', { name: 'Enter an outage' }).click();
      await dialog().getByRole('combobox', { name: 'Bank or channel' }).click();
      await page.getByRole('option', { name: 'Channel Made by hand' }).click();
      await testbed.inspect(page, 'outage-new');
      await typeInto(dialog().getByRole('textbox', { name: 'Reason' }), 'they moved to another server');
      await dialog().getByRole('button', { name: 'Enter', exact: true }).click();
      await dialog().waitFor({ state: 'detached' });
      await ours.getByText('Outage', { exact: true }).waitFor();
      await ours.getByText('they moved to another server').waitFor();
      await testbed.inspect(page, 'health');
      await page.getByRole('button', { name: 'End: Made by hand' }).click();
      await typeInto(dialog().getByRole('textbox', { name: 'Reason' }), 'they are back');
      await dialog().getByRole('button', { name: 'End it' }).click();
      await dialog().waitFor({ state: 'detached' });
      await ours.getByText('Healthy').waitFor();
    });

    it('sets limits on what an account receives and holds, by two people', async () => {
      await testbed.go(page, 'accounts');
      await page.getByRole('link', { name: 'Demo INR' }).click();
      await dialog().getByRole('button', { name: 'Change' }).click();
      const change = dialog().filter({ hasText: 'Change Demo INR' });
      for (const [label, value] of [
        ['Daily limit', '100000'],
        ['Monthly limit', '900000'],
        ['Balance limit', '500000'],
        ['Bank credits a day', '400'],
        ['Bank credits a month', '4000'],
        ['Agent is silent after', '15'],
      ] as const)
        await typeInto(change.getByLabel(label), value);
      await testbed.inspect(page, 'account-limits');
      await typeInto(change.getByRole('textbox', { name: 'Reason' }), 'what the bank allows');
      await change.getByRole('button', { name: 'Propose' }).click();
      await change.waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      const shown = page.getByRole('dialog');
      for (const name of ['amount a day', 'amount a month', 'balance', 'bank credits a month'])
        await shown.getByRole('progressbar', { name: `Demo INR, ${name}: 0 % used` }).waitFor({ state: 'attached' });
      await shown.getByText('500,000.00').waitFor();
      await testbed.inspect(page, 'account-limited');
    });

    it('disables a channel at once, by one person', async () => {
      await testbed.go(page, 'channels');
      await page.getByRole('link', { name: 'Made by hand' }).click();
      await page.getByRole('button', { name: 'Disable' }).click();
      await typeInto(dialog().getByLabel('Reason'), 'it is not needed any more');
      await dialog().getByRole('button', { name: 'Disable' }).click();
      await page.locator('.page-head').getByText('Disabled').waitFor();
    });

    it('puts accounts into a pool by two people', async () => {
      await testbed.go(page, 'pools');
      await page.getByText('No pools').waitFor();
      await page.getByRole('button', { name: 'Add a pool' }).click();
      await typeInto(dialog().getByLabel('Name'), 'Retail');
      await typeInto(dialog().getByLabel('Currency'), 'INR');
      await testbed.inspect(page, 'pool-new');
      await propose('retail alone');
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'Retail' }).waitFor();
      await testbed.inspect(page, 'pools');
    });

    it('shows callbacks by endpoint', async () => {
      await testbed.go(page, 'callbacks');
      await page.getByRole('heading', { name: 'Callbacks' }).waitFor();
      await page.getByRole('combobox', { name: 'Period' }).waitFor();
      await testbed.inspect(page, 'callbacks');
    });

    it('shows parked rows, and drops one by two people', async () => {
      const sql = postgres(testbed.sandbox.databaseUrl, { max: 1 });
      const park = async (key: string): Promise<void> => {
        await sql`
          insert into outbox (id, noun, key, arguments, rank, due_at, parked_at, refusals, last_error, created_at)
          values (gen_random_uuid(), 'deposit', ${key}, '{}', 3, now() + interval '1 day', now(), 10,
            'no such workflow type', now())`;
      };
      await park('deposit:D20300102XXXXXXXXXXXX');
      await park('deposit:D20300103XXXXXXXXXXXX');
      await testbed.go(page, 'parked');
      await page.getByText('no such workflow type').first().waitFor();
      await testbed.inspect(page, 'parked');
      await page.getByRole('button', { name: 'Drop deposit:D20300102XXXXXXXXXXXX' }).click();
      await typeInto(dialog().getByLabel('Reason'), 'it was of an order that is gone');
      await dialog().getByRole('button', { name: 'Propose to drop' }).click();
      await dialog().waitFor({ state: 'detached' });
      await testbed.approveNewest();
      await page.reload();
      await page.getByText('deposit:D20300103XXXXXXXXXXXX').waitFor();
      expect(await page.getByText('deposit:D20300102XXXXXXXXXXXX').count()).toBe(0);
      await sql`delete from outbox where key = 'deposit:D20300103XXXXXXXXXXXX'`;
      await sql.end();
    });

    it('opens the explorer at the graph’s own address, with a manual login and prepared operations', async () => {
      // Not a page of the console: its layout and its warnings are not inspected.
      const explorer = await testbed.browser.newPage();
      const { login, password } = testbed.sandbox.operator;
      await explorer.goto(new URL('/graphql', testbed.sandbox.graphql).href);
      await typeInto(explorer.getByLabel('Login'), login);
      await typeInto(explorer.getByLabel('Password'), password);
      await explorer.getByRole('button', { name: 'Log in' }).click();
      await typeInto(explorer.getByLabel('Find an operation'), 'LastEventSeq');
      // The editor is loaded after the button that runs its content.
      await explorer.locator('.graphiql-query-editor').getByText('roles').waitFor();
      await explorer.getByRole('button', { name: 'Execute query' }).click();
      await explorer.getByText(`"login": "${login}"`).waitFor();
      await explorer.close();
    });
  });
};
