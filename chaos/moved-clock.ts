import { readFileSync } from 'node:fs';

/*
 * Loaded before a role's program: moves the clock of its process by the milliseconds in the file CHAOS_CLOCK, which may
 * change at any time. Time that passes is not moved, as when a person or a time server sets a machine's clock.
 */

const LOOK_EVERY_MS = 100;

const RealDate = Date;
let movedMs = 0;

function look(): void {
  try {
    movedMs = Number(readFileSync(process.env['CHAOS_CLOCK'] ?? '', 'utf8'));
  } catch {
    // There is no file: nobody has moved it yet.
    movedMs = 0;
  }
}
const now = (): number => RealDate.now() + movedMs;

const MovedDate = new Proxy(RealDate, {
  construct: (target, values: unknown[], made) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, made) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

look();
setInterval(look, LOOK_EVERY_MS).unref();
RealDate.prototype.constructor = MovedDate;
globalThis.Date = MovedDate;
