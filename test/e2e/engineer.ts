import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { WorkflowClient } from '@temporalio/client';
import pino from 'pino';
import type { Browser, Page } from 'playwright-core';
import { locate, temporalCli } from '../../local/servers';
import { Simulator } from '../../simulator/server';
import type { Mailer } from '../../temporal/mail/mailer';
import { Relay } from '../../temporal/relay';
import { ORDERS_TASK_QUEUE } from '../../workflows/shared';
import { launchBrowser } from '../support/browser';
import { CHANNEL_KEY, simulatedChannel } from '../support/channel-tenant';
import { sqlOf, stuckWorkflows, temporalOf } from '../support/runbook';
import { devServer, SHORT_WORKFLOW_TASKS, type TestTemporal } from '../support/temporal';
import { findInTemporalUi } from '../support/temporal-ui';
import { Tenant } from '../support/tenant';
import { startWorkers, type TestWorkers } from '../support/workers';

const run = promisify(execFile);

/** How long an engineer may take to find an order in the UI. */
const FOUND_WITHIN_MS = 60_000;

/** The kinds of the runbook that stuck-payouts.test.ts tries; stuck-orders.test.ts tries all others. */
export const PAYOUTS_AND_MISFITS = [
  'a withdrawal without a decision',
  'a payout that its channel has',
  'a payout of which nobody knows',
  'a payout that a person has to make',
  'whatever does not fit its own code',
];

export async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error('it never came to that');
}

/** An engineer with the runbook, Temporal's UI and a platform on a real server. */
export class Engineer {
  private readonly advice = stuckWorkflows();
  private readonly found = new Set<string>();
  private workers: TestWorkers | undefined;
  /** Mails are accepted only while it is not away. */
  readonly mailServer = { isAway: true };

  private constructor(
    readonly temporal: TestTemporal,
    readonly tenant: Tenant,
    /** The channel that pays to the bank KBANK. */
    readonly upstream: Simulator,
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async open(): Promise<Engineer> {
    const [temporal, tenant, browser] = await Promise.all([
      devServer(SHORT_WORKFLOW_TASKS, true),
      Tenant.create(),
      launchBrowser(),
    ]);
    const upstream = new Simulator(CHANNEL_KEY);
    await tenant.account();
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
    });
    await simulatedChannel(tenant, await upstream.listen(), { answerWithinSeconds: 1 });
    return new Engineer(temporal, tenant, upstream, browser, await browser.newPage());
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.browser.close();
    await this.upstream.close();
    await this.tenant.close();
    await this.temporal.stop();
  }

  async startWorkers(): Promise<void> {
    const mailer: Mailer = {
      send: async () => {
        await Promise.resolve();
        if (this.mailServer.isAway) throw new Error('the mail server is away');
      },
      close: () => undefined,
    };
    this.workers = await startWorkers(this.tenant, this.temporal, undefined, mailer);
    this.workers.relay.start();
  }

  async stopWorkers(): Promise<void> {
    await this.workers?.stop();
    this.workers = undefined;
  }

  /** Delivers the outbox to Temporal without a worker. */
  async relayOnce(): Promise<void> {
    const { tenant, temporal } = this;
    await new Relay({
      database: tenant.database,
      client: temporal.env.client,
      clock: temporal.clock,
      prepareServer: () => Promise.resolve(),
      log: pino({ level: 'silent' }),
    }).once();
  }

  /** Kinds that `expectFound` was called with. */
  get tried(): string[] {
    return [...this.found];
  }

  /** All kinds of the runbook. */
  get kinds(): string[] {
    return [...this.advice.keys()];
  }

  /** The runbook's query for a kind. */
  queryFor(stuck: string): string {
    const row = this.advice.get(stuck);
    if (!row) throw new Error(`the runbook knows nothing of ${stuck}`);
    return row.query;
  }

  client(): WorkflowClient {
    return this.temporal.env.client.workflow;
  }

  async historyLengthOf(id: string): Promise<number> {
    return await this.client()
      .getHandle(id)
      .describe()
      .then(
        ({ historyLength }) => historyLength,
        () => 0,
      );
  }

  async isListed(query: string, id: string): Promise<true | undefined> {
    for await (const { workflowId: listed } of this.client().list({ query })) if (listed === id) return true;
    return undefined;
  }

  /** Finds it by the runbook's query, the first of each kind in a browser too, and compares its details. */
  async expectFound(stuck: string, id: string): Promise<void> {
    const query = this.queryFor(stuck);
    await until(async () => await this.isListed(query, id));
    if (!this.found.has(stuck)) {
      const began = performance.now();
      const { page, temporal } = this;
      await (await findInTemporalUi(page, temporal.uiUrl ?? '', query, id)).click();
      await page.getByRole('heading', { name: id }).first().waitFor();
      expect(performance.now() - began).toBeLessThan(FOUND_WITHIN_MS);
    }
    this.found.add(stuck);
    // By WaitsFor also by how long it waits.
    if (query.startsWith('WaitsFor')) {
      const since = (at: number): string => `${query} and WaitingSince < "${new Date(at).toISOString()}"`;
      await until(async () => await this.isListed(since(Date.now() + 60_000), id));
      expect(await this.isListed(since(Date.now() - 600_000), id)).toBeUndefined();
    }
    const { details = null, activity = null } = this.advice.get(stuck) ?? {};
    if (!details) return;
    await until(async () => (details.test(await this.detailsOf(id)) ? true : undefined)).catch(async () => {
      expect(await this.detailsOf(id)).toMatch(details);
    });
    expect(await this.pendingOf(id)).toEqual(activity === null ? [] : [activity]);
  }

  /** Its current details, or those of its start while it has had no task. */
  private async detailsOf(id: string): Promise<string> {
    const handle = this.client().getHandle(id);
    const description = await handle.describe();
    if (description.historyLength === 1) return (await description.staticDetails()) ?? '';
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails ?? '';
  }

  private async pendingOf(id: string): Promise<string[]> {
    const { raw } = await this.client().getHandle(id).describe();
    return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name ?? '');
  }

  /** Runs one of the runbook's statements. */
  async query<Row extends object>(statement: string): Promise<Row[]> {
    return await this.tenant.database.sql.unsafe<Row[]>(statement);
  }

  /** The count of one line of "What is wrong?". */
  async wrong(what: string): Promise<number> {
    const lines = await this.query<{ what: string; count: string }>(sqlOf('What is wrong?'));
    return Number(lines.find((line) => line.what === what)?.count);
  }

  async temporalSays(args: readonly string[]): Promise<string> {
    const { address } = this.temporal;
    const command = locate(temporalCli, process.env);
    return (await run(command, [...args, '--address', address])).stdout;
  }

  /** The pollers of a queue, from the output of the runbook's command. */
  async pollersOf(queue: string): Promise<string[]> {
    const [, pollers = ''] = (
      await this.temporalSays(
        temporalOf('No worker', 'task-queue describe', []).map((word) => (word === ORDERS_TASK_QUEUE ? queue : word)),
      )
    ).split('Pollers:');
    return pollers.match(/\S+ ago/g) ?? [];
  }
}
