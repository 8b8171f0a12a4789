import { readConfig } from '../../config';
import { traceLines, TraceReceiver } from '../../local/trace';
import { newTraceId } from '../../runtime/log';
import { OtlpExporter } from '../../runtime/otlp';
import {
  asRoot,
  callerOf,
  type EndedSpan,
  inTrace,
  type Propagation,
  startTracing,
  traced,
  traceparentFor,
} from '../../runtime/tracing';

const words = (name: string) => () => ({ name, kind: 'internal' }) as const;
const nothing = async (): Promise<void> => {
  await Promise.resolve();
};

/** What is traced while some work is done. */
async function spansOf(work: () => Promise<unknown>, ratio = 1, propagation?: Propagation): Promise<EndedSpan[]> {
  const spans: EndedSpan[] = [];
  const end = startTracing({ add: (span) => void spans.push(span) }, ratio, propagation);
  try {
    await work();
  } finally {
    end();
  }
  return spans;
}

describe('a trace', () => {
  it('has a first span that every process knows, and each span below the one that caused it', async () => {
    const traceId = newTraceId();
    const request = async (): Promise<void> => {
      await asRoot(traceId, words('request'), async () => {
        await traced(words('transaction'), async () => {
          await traced(words('statement'), nothing);
        });
      });
    };
    // Another process, later.
    const step = async (): Promise<void> => {
      await inTrace(traceId, words('step'), async () => {
        await traced(words('statement of the step'), nothing);
      });
    };
    const spans = await spansOf(async () => {
      await request();
      await step();
    });
    const parents = spans.map(({ name, parentSpanId }) => [
      name,
      spans.find(({ spanId }) => spanId === parentSpanId)?.name,
    ]);
    expect(Object.fromEntries(parents)).toEqual({
      request: undefined,
      transaction: 'request',
      statement: 'transaction',
      step: 'request',
      'statement of the step': 'step',
    });
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    for (const { spanId } of spans) expect(spanId).toMatch(/^[0-9a-f]{16}$/);
  });

  it('has the spans of work that fails, which fails as before', async () => {
    const error = new Error('refused');
    const spans = await spansOf(async () => {
      const failing = inTrace(newTraceId(), words('step'), async () => await Promise.reject(error));
      await expect(failing).rejects.toBe(error);
    });
    expect(spans).toMatchObject([{ name: 'step', failed: true }]);
  });

  it('is not made outside of a trace, for invalid ids, or when tracing is off', async () => {
    const spans = await spansOf(async () => {
      await traced(words('alone'), nothing);
      await inTrace(undefined, words('an older order'), nothing);
      await inTrace('no trace id', words('a run'), nothing);
    });
    expect(spans).toEqual([]);
    const work = Promise.resolve();
    // The work's own promise is returned.
    expect(traced(words('off'), () => work)).toBe(work);
    expect(inTrace(newTraceId(), words('off'), () => work)).toBe(work);
  });

  it('is kept or not by its id, so that every process keeps the same ones', async () => {
    const kept = `${'a'.repeat(24)}00000001`;
    const left = `${'a'.repeat(24)}ffffffff`;
    const spans = await spansOf(async () => {
      for (const id of [kept, left]) await inTrace(id, words('step'), nothing);
    }, 0.5);
    expect(spans.map(({ traceId }) => traceId)).toEqual([kept]);
  });
});

describe('traceparent', () => {
  const [traceId, spanId] = ['ab'.repeat(16), 'cd'.repeat(8)];
  const theirs = `00-${traceId}-${spanId}-01`;
  const both: Propagation = { fromCallers: true, to: ['channels'] };

  it('of a caller is linked where it is accepted, and never becomes our trace', async () => {
    const own = newTraceId();
    const request = async (): Promise<void> => {
      const link = callerOf(theirs);
      await asRoot(own, () => ({ ...words('request')(), ...(link && { link }) }), nothing);
    };
    expect(await spansOf(request, 1, both)).toMatchObject([
      { traceId: own, parentSpanId: null, link: { traceId, spanId } },
    ]);
    for (const span of await spansOf(request)) expect(span).not.toHaveProperty('link');
  });

  it.each([
    undefined,
    '',
    [theirs, theirs],
    theirs.toUpperCase(),
    theirs.slice(0, -1),
    `${theirs}0`,
    `ff${theirs.slice(2)}`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
  ])('%s is no traceparent', async (header) => {
    await spansOf(
      async () => {
        expect(callerOf(header)).toBeUndefined();
        await nothing();
      },
      1,
      both,
    );
  });

  it('of a later version is read as this one', async () => {
    await spansOf(
      async () => {
        expect(callerOf(`01${theirs.slice(2)}-more`)).toEqual({ traceId, spanId });
        await nothing();
      },
      1,
      both,
    );
  });

  it('goes to the receivers that are named, and says which span requests', async () => {
    const own = newTraceId();
    const sent: object[] = [];
    const request = async (): Promise<void> => {
      await traced(words('outside of a trace'), nothing);
      sent.push(traceparentFor('channels'));
      await inTrace(own, words('step'), async () => {
        sent.push(traceparentFor('channels'), traceparentFor('merchants'), traceparentFor(undefined));
        await nothing();
      });
    };
    const [step] = await spansOf(request, 1, both);
    expect(sent.splice(0)).toEqual([{}, { traceparent: `00-${own}-${step?.spanId ?? ''}-01` }, {}, {}]);
    await spansOf(request);
    expect(sent).toEqual([{}, {}, {}, {}]);
  });
});

describe('the exporter', () => {
  const span = (name: string): EndedSpan => ({
    name,
    kind: 'server',
    traceId: newTraceId(),
    spanId: '00000000000000aa',
    parentSpanId: null,
    startMs: 1_000,
    endMs: 1_002.5,
    failed: true,
    attributes: { 'http.route': '/', attempt: 2, absent: undefined },
  });

  it('sends spans as OTLP has them, the last ones at its end', async () => {
    const receiver = await TraceReceiver.listen(0);
    const lost: number[] = [];
    const exporter = new OtlpExporter({
      endpoint: `${receiver.url}/`,
      headers: {},
      service: 'causeway-test',
      onLost: (spans) => {
        lost.push(spans);
      },
    });
    const link = { traceId: newTraceId(), spanId: '00000000000000bb' };
    exporter.add({ ...span('GET /'), link });
    await exporter.stop();
    await receiver.close();
    expect(receiver.spans).toMatchObject([
      {
        name: 'GET /',
        service: 'causeway-test',
        status: { code: 2 },
        startTimeUnixNano: '1000000000',
        endTimeUnixNano: '1002500000',
        links: [link],
        attributes: [
          { key: 'http.route', value: { stringValue: '/' } },
          { key: 'attempt', value: { doubleValue: 2 } },
        ],
      },
    ]);
    expect(traceLines(receiver.spans)).toEqual([
      '      0.0      2.5  causeway-test     GET / FAILED  http.route=/ attempt=2',
    ]);
    expect(lost).toEqual([]);
  });

  it('counts spans that a dead collector does not accept, and ends', async () => {
    const receiver = await TraceReceiver.listen(0);
    const { url: endpoint } = receiver;
    await receiver.close();
    const lost: number[] = [];
    const exporter = new OtlpExporter({
      endpoint,
      headers: {},
      service: 'causeway-test',
      onLost: (spans) => {
        lost.push(spans);
      },
    });
    exporter.add(span('one'));
    exporter.add(span('two'));
    await exporter.stop();
    expect(lost).toEqual([2]);
  });
});

describe('the settings', () => {
  const base = {
    CAUSEWAY_ENV: 'sandbox',
    DATABASE_URL: 'postgres://localhost/causeway',
    CAUSEWAY_LOOKUP_KEY: Buffer.alloc(32, 1).toString('base64'),
    CAUSEWAY_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64'),
    CASHIER_TOKEN_SECRET: Buffer.alloc(32, 3).toString('base64'),
  };

  it('make no traces unless there is a collector', () => {
    expect(readConfig(base).traces).toBeNull();
    const set = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20x, tenant=a',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    };
    const traces = {
      endpoint: 'http://collector:4318',
      ratio: 0.1,
      headers: { authorization: 'Basic x', tenant: 'a' },
    };
    const none = { fromCallers: false, to: [] };
    expect(readConfig({ ...base, ...set }).traces).toEqual({ ...traces, propagation: none });
    const propagated = { TRACEPARENT_FROM_CALLERS: 'true', TRACEPARENT_TO: 'channels, merchants' };
    expect(readConfig({ ...base, ...set, ...propagated }).traces).toEqual({
      ...traces,
      propagation: { fromCallers: true, to: ['channels', 'merchants'] },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'nothing'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['TRACEPARENT_TO', 'everybody'],
  ])('refuse %s=%s', (name, value) => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    expect(() => readConfig({ ...base, ...endpoint, [name]: value })).toThrow();
  });
});
