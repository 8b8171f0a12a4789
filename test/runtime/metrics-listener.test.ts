import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Totals } from '../../steps/ledger/totals';
import { metrics, registry } from '../../runtime/metrics';
import { buildMetricsServer } from '../../runtime/metrics-listener';
import { LogLines } from '../support/log-lines';
import { Scrape, scrape } from '../support/prometheus';
import { answersIn, rawHttp } from '../support/raw-http';
import { operatorDocument, Tenant } from '../support/tenant';

const readFile = (file: string): string => readFileSync(path.join(__dirname, '..', '..', file), 'utf8');

describe('a role without another internal listener', () => {
  const { log, having } = new LogLines();
  const added = async (): Promise<string> =>
    await Promise.resolve('# HELP other_total x\n# TYPE other_total counter\nother_total 7');
  const broken = async (): Promise<string> => await Promise.reject(new Error('away'));

  it('serves its own metrics and those of other sources; a failing source is left out and counted', async () => {
    metrics.requests.inc({ route: 'a "route"\\', code: 'SUCCESS' });
    const app = buildMetricsServer(log, [added, broken]);
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const scraped = await scrape(`${url}/metrics`);
    expect(scraped.value('other_total')).toBe(7);
    expect(scraped.value('causeway_merchant_requests_total')).toBe(1);
    expect(scraped.value('causeway_metrics_source_failures_total')).toBe(1);
    expect(having({ msg: 'metrics are incomplete' })).toMatchObject([{ err: { message: 'away' } }]);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    for (const hosts of ['', 'Host: a\r\nHost: a\r\n']) {
      const text = await rawHttp(Number(new URL(url).port), `GET /metrics HTTP/1.1\r\n${hosts}\r\n`);
      expect(answersIn(text)).toMatchObject([{ status: 400 }]);
    }
    await app.close();
  });

  it('is ready while the role serves', async () => {
    const app = buildMetricsServer(log);
    const status = async (): Promise<number> => (await app.inject({ url: '/health/ready' })).statusCode;
    expect(await status()).toBe(503);
    metrics.ready.set(1);
    expect(await status()).toBe(200);
    metrics.ready.set(0);
    expect(await status()).toBe(503);
    await app.close();
  });
});

describe('the metrics', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('are all in the runbook, and no others are', async () => {
    const text = [await registry.metrics(), await new Totals(tenant.graph.core).text()].join('\n');
    const rows = readFile('docs/runbook.md').matchAll(/^\| `(causeway_\w+)`/gm);
    const scraped = [...rows].map(([, name]) => name);
    expect(scraped.sort()).toEqual([...new Scrape(text).types.keys()].sort());
  });

  it('have all names and labels that the Prometheus alerts use', async () => {
    const text = [await registry.metrics(), await new Totals(tenant.graph.core).text()].join('\n');
    const { types } = new Scrape(text);
    const runbook = readFile('docs/runbook.md');
    const words = ['docs/architecture.md', 'domain/errors.ts', 'docs/runbook.md'].map(readFile);
    const rules = readFile('deploy/prometheus/alerts.yml');
    const asked = [...rules.matchAll(/(?<![\w:])(causeway_\w+)(?:\{([^}]*)\})?/g)];
    expect(asked.length).toBeGreaterThan(50);
    for (const [, series = '', selector = ''] of asked) {
      const name = types.has(series) ? series : series.replace(/_(bucket|count|sum)$/, '');
      expect([series, types.get(name)]).not.toContain(undefined);
      const row = runbook.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      for (const [, label, values = ''] of selector.matchAll(/(\w+)=~?"([^"]*)"/g))
        if (label === 'le') {
          const metric = registry.getSingleMetric(name) as unknown as { upperBounds: number[] };
          expect(metric.upperBounds).toContain(Number(values));
        } else if (label !== 'role') {
          expect(row).toContain(`\`${label}\``);
          const known = values.split('|').filter((value) => /^\w+$/.test(value));
          expect(known.filter((value) => !words.join().includes(value))).toEqual([]);
        }
    }
    const chapters = [...runbook.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(' ', '-')
        .replace(/[^a-z-]/g, ''),
    );
    const named = [...rules.matchAll(/docs\/runbook\.md#([\w-]+)/g)].map(([, chapter]) => chapter);
    expect(chapters).toEqual(expect.arrayContaining(named));
  });

  it('count refused logins and failed operations', async () => {
    const variables = { login: 'admin', password: 'not the password' };
    const { core: deps } = tenant.graph;
    await expect(
      tenant.graph.execute(operatorDocument('Login'), variables, { kind: 'anonymous' }, deps.log),
    ).rejects.toMatchObject({ kind: 'UNAUTHENTICATED' });
    const scraped = new Scrape(await registry.metrics());
    expect(scraped.value('causeway_logins_total', { outcome: 'refused' })).toBe(1);
    const failed = { operation: 'Mutation.login', outcome: 'UNAUTHENTICATED' };
    expect(scraped.value('causeway_graph_operation_duration_seconds_count', failed)).toBe(1);
  });
});
