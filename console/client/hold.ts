import type { Exchange, Operation, OperationResult } from 'urql';
import { filter, makeSubject, merge, pipe } from 'wonka';

/** What the pages ask while nobody is logged in, kept until the operator is back. */
export interface Hold {
  readonly exchange: Exchange;
  /** The session has ended: queries wait from now on. */
  readonly suspend: () => void;
  /** The operator is logged in again: sends what waits. */
  readonly resume: () => void;
  /** Resolves when nothing waits for a login. */
  readonly over: () => Promise<void>;
}

/**
 * A page must not learn that its session ended: it would drop its answers, and with them the forms that are shown
 * beside them. So a query that is refused for that reason waits for the next session instead of failing. Mutations fail,
 * because only the operator knows whether to repeat them.
 * @param passes operations that are sent anyway, such as the question who is logged in
 * @param hasEnded whether an answer says that the session ended
 */
export function createHold(
  passes: (operation: Operation) => boolean,
  hasEnded: (result: OperationResult) => boolean,
): Hold {
  const waiting = new Map<number, Operation>();
  const again = makeSubject<Operation>();
  let over = Promise.resolve();
  let release: (() => void) | null = null;
  const waits = ({ kind }: Operation): boolean => kind === 'query';
  return {
    exchange:
      ({ forward }) =>
      (operations) => {
        const sent = pipe(
          operations,
          filter((operation) => {
            if (operation.kind === 'teardown') waiting.delete(operation.key);
            if (!release || !waits(operation) || passes(operation)) return true;
            waiting.set(operation.key, operation);
            return false;
          }),
        );
        return pipe(
          forward(merge([sent, again.source])),
          filter((result) => {
            const { operation } = result;
            if (!waits(operation) || passes(operation) || !hasEnded(result)) return true;
            waiting.set(operation.key, operation);
            return false;
          }),
        );
      },
    over: async () => {
      await over;
    },
    suspend: () => {
      if (release) return;
      over = new Promise((resolve) => {
        release = resolve;
      });
    },
    resume: () => {
      release?.();
      release = null;
      const operations = [...waiting.values()];
      waiting.clear();
      for (const operation of operations) again.next(operation);
    },
  };
}
