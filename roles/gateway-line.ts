import type { LimitAnswer, LimitLine, LimitNotice, LimitQuestion } from '../gateway/limits/questions';
import { registry } from '../runtime/metrics';

/** The metrics of a process, as its registry describes them. */
export type Measured = Awaited<ReturnType<typeof registry.getMetricsAsJSON>>;

/** What a process of a gateway sends to its parent. */
export type ToParent =
  | { readonly kind: 'ask'; readonly id: number; readonly question: LimitQuestion }
  | { readonly kind: 'tell'; readonly notice: LimitNotice }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: Measured };

/** What a parent sends to a process. */
export type FromParent =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: LimitAnswer }
  | { readonly kind: 'measure'; readonly id: number };

/** The environment's name of a process's number, which its parent sets. */
export const PROCESS_NUMBER = 'GATEWAY_PROCESS_NUMBER';

/** Opens the line of a gateway's process to its parent. */
export function openLine(): LimitLine {
  const waiting = new Map<number, (answer: LimitAnswer) => void>();
  let last = 0;
  const send = (message: ToParent): void => {
    // Without its parent this process ends.
    if (process.connected) process.send?.(message);
  };
  process.on('message', (message: FromParent) => {
    if (message.kind === 'measure') {
      const { id } = message;
      void registry.getMetricsAsJSON().then((metrics) => {
        send({ kind: 'measured', id, metrics });
      });
    } else {
      waiting.get(message.id)?.(message.answer);
      waiting.delete(message.id);
    }
  });
  return {
    ask: (question) =>
      new Promise((answer) => {
        const id = ++last;
        waiting.set(id, answer);
        send({ kind: 'ask', id, question });
      }),
    tell: (notice) => {
      send({ kind: 'tell', notice });
    },
  };
}
