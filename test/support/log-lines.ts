import type pino from 'pino';
import { createLogger, type Logger } from '../../runtime/log';

/** A parsed log line. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A log that keeps its lines. */
export class LogLines {
  readonly lines: LogLine[] = [];
  readonly log: Logger;

  constructor(role = 'test') {
    const write = (line: string): void => {
      this.lines.push(JSON.parse(line) as LogLine);
    };
    this.log = createLogger(role, 'debug', { write } satisfies pino.DestinationStream);
  }

  /** The lines that have all these fields. */
  readonly having = (fields: LogLine): LogLine[] =>
    this.lines.filter((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
}
