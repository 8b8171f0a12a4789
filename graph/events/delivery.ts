import type { ExecutionResult } from 'graphql';
import type { Outlet } from './outlet';
import type { SharedResults } from './shared-subscribe';
import { textFrame } from './text-frame';

const END = Buffer.from('}');

/**
 * Sends a subscription's results to its socket. graphql-ws waits for the next result of this iterator, and gets only the
 * end or an error: making and sending each message by itself would cost it more than all the rest.
 */
export function delivered(
  { events, payloadOf }: SharedResults,
  id: string,
  outlet: Outlet,
): AsyncIterableIterator<ExecutionResult> {
  // As graphql-ws writes it.
  const head = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  let over = false;
  const iterator: AsyncIterableIterator<ExecutionResult> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      for (;;) {
        const event = await events.next();
        if (event.done === true) return { value: undefined, done: true };
        const made = payloadOf(event.value);
        const payload = made instanceof Promise ? await made : made;
        // The client may have completed it meanwhile.
        if (over) continue;
        outlet.send(textFrame([head, payload, END]));
        if (outlet.isFull) await outlet.drained();
      }
    },
    return: async () => {
      over = true;
      await events.return?.();
      return { value: undefined, done: true };
    },
  };
  return iterator;
}
