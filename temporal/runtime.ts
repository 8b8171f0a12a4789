import { type LogLevel, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { HEARTBEAT_INTERVAL } from './worker-version';

type PinoLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
const LEVELS: Record<LogLevel, PinoLevel> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** The target of log lines: our log, or a test's. */
type Writer = Readonly<Record<PinoLevel, (fields: object, message: string) => void>>;

/**
 * Sends Temporal's own log lines, with workflow, activity and order bound to them, to our log. Call once a process,
 * first of all.
 * @param metricsAddress host:port on which the SDK serves its own metrics; none unless given
 */
export function installTemporalRuntime(log: Writer, metricsAddress?: string): void {
  const write = (level: LogLevel, message: string, meta: Record<string, unknown> = {}): void => {
    const { error, taskToken: _noise, ...fields } = meta;
    log[LEVELS[level]](error === undefined ? fields : { ...fields, err: error }, message);
  };
  Runtime.install({
    // roles/serve.ts handles SIGTERM and SIGINT: the relay stops before the workers do.
    shutdownSignals: [],
    workerHeartbeatInterval: HEARTBEAT_INTERVAL,
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
