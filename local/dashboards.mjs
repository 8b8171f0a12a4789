// The Grafana dashboard, made from the metrics themselves (their names, types and help), the runbook's table (their labels,
// and when to worry), and the objectives in deploy/prometheus/alerts.yml. `npm run generate` writes it.

/** What Temporal's SDK and Node.js add, as the runbook names it. */
const OTHERS = {
  'Temporal, of the workers': [
    [
      'Workflow tasks wait for a worker, p95',
      's',
      'histogram_quantile(0.95, sum by (le, task_queue) (rate(temporal_workflow_task_schedule_to_start_latency_seconds_bucket[$__rate_interval])))',
      '{{task_queue}}',
    ],
    [
      'Steps wait for a worker, p95',
      's',
      'histogram_quantile(0.95, sum by (le, task_queue) (rate(temporal_activity_schedule_to_start_latency_seconds_bucket[$__rate_interval])))',
      '{{task_queue}}',
    ],
    [
      'Free slots of workers',
      'short',
      'sum by (task_queue, worker_type) (temporal_worker_task_slots_available)',
      '{{task_queue}} {{worker_type}}',
    ],
    [
      'Failed workflow tasks: a bug in a workflow',
      'ops',
      'sum by (task_queue) (rate(temporal_workflow_task_execution_failed_total[$__rate_interval]))',
      '{{task_queue}}',
    ],
    [
      'Refused calls to Temporal',
      'ops',
      'sum by (operation) (rate(temporal_request_failure_total[$__rate_interval]))',
      '{{operation}}',
    ],
  ],
  'Node.js, of every process': [
    [
      'Event loop lag, p99: the process is too busy above 0.2 s',
      's',
      'max by (role, instance) (nodejs_eventloop_lag_p99_seconds)',
      '{{role}} {{instance}}',
    ],
    [
      'CPU',
      'short',
      'sum by (role, instance) (rate(process_cpu_seconds_total[$__rate_interval]))',
      '{{role}} {{instance}}',
    ],
    ['Memory', 'bytes', 'max by (role, instance) (process_resident_memory_bytes)', '{{role}} {{instance}}'],
  ],
};

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const WIDTH = 8;
const HEIGHT = 7;
const QUANTILES = ['0.5', '0.95', '0.99'];

/** Name, type and help of each metric in Prometheus' text. */
function typesOf(text) {
  const helps = new Map([...text.matchAll(/^# HELP (causeway_\w+) (.*)$/gm)].map(([, name, help]) => [name, help]));
  return [...text.matchAll(/^# TYPE (causeway_\w+) (\w+)$/gm)].map(([, name, type]) => ({
    ...{ name, type },
    help: helps.get(name),
  }));
}

/** What the runbook says of each: role, labels, when to worry. The backlogs are the graph's, and have no role column. */
function rowsOf(runbook) {
  const plain = (cell) =>
    cell
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll('`', '')
      .trim();
  const rows = [...runbook.matchAll(/^\| `(causeway_\w+)` *\|(.*)\|$/gm)];
  return new Map(
    rows.map(([, name, rest]) => {
      const cells = rest.split(/(?<!\\)\|/).map(plain);
      const [role, labels, , worry] = cells.length === 3 ? ['backlogs', ...cells] : cells;
      return [
        name,
        {
          role,
          labels: labels
            .split(',')
            .map((of) => of.trim())
            .filter(Boolean),
          worry,
        },
      ];
    }),
  );
}

const unitOf = (name, type) => (type === 'counter' ? 'ops' : /_seconds$/.test(name) ? 's' : 'short');

/** The expressions of one metric, each with its legend. */
function targetsOf({ name, type, role, labels }) {
  const by = labels.length > 0 ? ` by (${labels.join(', ')})` : '';
  const legend = labels.map((label) => `{{${label}}}`).join(' ') || '{{role}}';
  if (type === 'histogram')
    return QUANTILES.map((q) => [
      `histogram_quantile(${q}, sum by (le) (rate(${name}_bucket[$__rate_interval])))`,
      `p${Number(q) * 100}`,
    ]);
  if (type === 'counter') return [[`sum${by} (rate(${name}[$__rate_interval]))`, legend]];
  if (/_timestamp_seconds$/.test(name)) return [[`time() - max${by} (${name} > 0)`, legend]];
  // Several processes show the same backlog; what a process has of its own is shown for each.
  if (role === 'backlogs') return [[`max${by} (${name})`, legend]];
  const own = ['role', 'instance', ...labels];
  return [[`max by (${own.join(', ')}) (${name})`, own.map((label) => `{{${label}}}`).join(' ')]];
}

const panel = (title, description, unit, targets, thresholds) => ({
  ...{ type: 'timeseries', title, description, datasource: DATASOURCE },
  fieldConfig: {
    defaults: {
      unit,
      // An offset may be negative.
      ...(!/_offset_/.test(title) && { min: 0 }),
      ...(thresholds && {
        thresholds: { mode: 'absolute', steps: thresholds },
        custom: { thresholdsStyle: { mode: 'line' } },
      }),
    },
    overrides: [],
  },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  targets: targets.map(([expr, legendFormat], n) => ({
    ...{ refId: 'ABCDEF'[n], datasource: DATASOURCE, expr, legendFormat },
  })),
});

/** The objectives: the comment above each group of rules, and the share that its page begins at. */
function objectivesOf(rules) {
  const found = rules.matchAll(
    /# (.*)\n(?:.*\n)?\s*- record: causeway:(\w+):ratio5m[\s\S]*?expr: causeway:\2:ratio1h > ([\d.]+)/g,
  );
  return [...found].map(([, text, name, limit]) =>
    panel(
      text.replace(/\.$/, ''),
      `Missed share of the last hour and of the last 5 minutes. The line is where its budget of 30 days is spent 14.4 times as fast as allowed.`,
      'percentunit',
      [
        [`causeway:${name}:ratio1h`, '1 hour'],
        [`causeway:${name}:ratio5m`, '5 minutes'],
      ],
      [
        { color: 'green', value: null },
        { color: 'red', value: Number(limit) },
      ],
    ),
  );
}

/**
 * @param metricsText of every role's metrics, as Prometheus scrapes them
 * @returns the dashboard, a panel a line
 * @throws if a metric is not in the runbook
 */
export function makeDashboard(metricsText, runbook, rules) {
  const rows = rowsOf(runbook);
  const sections = new Map([['Objectives', objectivesOf(rules)]]);
  for (const metric of typesOf(metricsText)) {
    const row = rows.get(metric.name);
    if (!row) throw new Error(`docs/runbook.md lacks ${metric.name}`);
    const section =
      row.role === 'backlogs' ? 'Backlogs and balances' : row.role === 'all' ? 'Every role' : `Of ${row.role}`;
    const { help, name, type } = metric;
    const description = [help, row.worry && `Worry when: ${row.worry}`].filter(Boolean).join('. ');
    const made = panel(name, description, unitOf(name, type), targetsOf({ ...metric, ...row }));
    sections.set(section, [...(sections.get(section) ?? []), made]);
  }
  for (const [title, panels] of Object.entries(OTHERS))
    sections.set(
      title,
      panels.map(([name, unit, expr, legend]) => panel(name, '', unit, [[expr, legend]])),
    );
  let y = 0;
  let id = 0;
  const placed = [];
  for (const [title, panels] of sections) {
    placed.push({
      id: ++id,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: 24, h: 1 },
      panels: [],
    });
    y += 1;
    panels.forEach((one, n) => {
      const gridPos = {
        x: (n % 3) * WIDTH,
        y: y + Math.floor(n / 3) * HEIGHT,
        w: WIDTH,
        h: HEIGHT,
      };
      placed.push({ id: ++id, ...one, gridPos });
    });
    y += Math.ceil(panels.length / 3) * HEIGHT;
  }
  const head = {
    ...{ uid: 'causeway', title: 'Causeway', tags: ['causeway'], editable: false, graphTooltip: 1 },
    ...{ schemaVersion: 39, version: 1, refresh: '30s', time: { from: 'now-3h', to: 'now' } },
    templating: {
      list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }],
    },
  };
  const lines = placed.map((one) => `  ${JSON.stringify(one)}`).join(',\n');
  return `${JSON.stringify(head).slice(0, -1)},"panels":[\n${lines}\n]}\n`;
}
