import { type LogLevel, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

type PinoLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
const LEVELS: Record<LogLevel, PinoLevel> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** What is written to: our log, or what a test puts in its place. */
type Writer = Readonly<Record<PinoLevel, (fields: object, message: string) => void>>;

/**
 * Temporal's own lines, with workflow, activity and order bound to them, go where ours go. Once a process, first of
 * all.
 * @param metricsAddress host:port where the SDK serves its own metrics; none unless given
 */
export function installTemporalRuntime(log: Writer, metricsAddress?: string): void {
  const write = (level: LogLevel, message: string, meta: Record<string, unknown> = {}): void => {
    const { error, taskToken: _noise, ...fields } = meta;
    log[LEVELS[level]](error === undefined ? fields : { ...fields, err: error }, message);
  };
  Runtime.install({
    // SIGTERM and SIGINT are main's: the relay stops before the workers do.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) },
      ...(metricsAddress !== undefined && {
        metrics: {
          globalTags: { role: 'worker' },
          attachServiceName: false,
          prometheus: {
            bindAddress: metricsAddress,
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      }),
    },
    logger: {
      log: write,
      trace: (message, meta) => {
        write('TRACE', message, meta);
      },
      debug: (message, meta) => {
        write('DEBUG', message, meta);
      },
      info: (message, meta) => {
        write('INFO', message, meta);
      },
      warn: (message, meta) => {
        write('WARN', message, meta);
      },
      error: (message, meta) => {
        write('ERROR', message, meta);
      },
    },
  });
}
