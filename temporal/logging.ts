import { type LogLevel, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from '../log';

type PinoLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
const LEVELS: Record<LogLevel, PinoLevel> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Temporal's own lines, with workflow and activity bound to them, go where ours go. Once a process, first of all. */
export function installTemporalLogger(log: Logger): void {
  const write = (level: LogLevel, message: string, meta: Record<string, unknown> = {}): void => {
    const { error, taskToken: _noise, ...fields } = meta;
    log[LEVELS[level]](error === undefined ? fields : { ...fields, err: error }, message);
  };
  Runtime.install({
    // SIGTERM and SIGINT are main's: the relay stops before the workers do.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) },
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
