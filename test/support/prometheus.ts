/** One value of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const found = LABEL.exec(text);
    if (!found?.[1]) throw new Error(`labels that are none: ${text}`);
    labels[found[1]] = found[2] ?? '';
  }
  return labels;
}

function valueOf(text: string): number {
  const value = text === '+Inf' ? Infinity : Number(text);
  if (Number.isNaN(value) && text !== 'NaN') throw new Error(`a value that is none: ${text}`);
  return value;
}

/**
 * Parses metrics as Prometheus would: each line in the text format, no metric described twice, no series given twice.
 */
export class Scrape {
  readonly samples: readonly Sample[];
  /** Metric → counter, gauge, histogram, summary. */
  readonly types = new Map<string, string>();

  constructor(text: string) {
    const samples: Sample[] = [];
    const series = new Set<string>();
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const [, kind, described, rest] = COMMENT.exec(line) ?? [];
      if (described !== undefined) {
        if (kind === 'TYPE' && this.types.has(described)) throw new Error(`twice: ${line}`);
        if (kind === 'TYPE') this.types.set(described, rest ?? '');
        continue;
      }
      const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`not Prometheus: ${line}`);
      if (!this.typeOf(name)) throw new Error(`nothing describes ${name}`);
      const sample = { name, labels: labelsOf(labels), value: valueOf(value) };
      const key = JSON.stringify([name, Object.entries(sample.labels).sort()]);
      if (series.has(key)) throw new Error(`twice: ${line}`);
      series.add(key);
      samples.push(sample);
    }
    this.samples = samples;
  }

  private typeOf(name: string): string | undefined {
    return this.types.get(name) ?? this.types.get(name.replace(/_(bucket|sum|count)$/, ''));
  }

  /** The label values of a metric's samples, each once. */
  distinct(name: string): number[] {
    const values = this.samples.filter((sample) => sample.name === name);
    return [...new Set(values.map(({ value }) => value))].sort();
  }

  /** The sum of a metric's samples that have these labels; undefined if there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }
}

/** Reads a role's /metrics. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
  return new Scrape(await response.text());
}
