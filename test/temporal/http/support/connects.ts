import { createHook } from 'node:async_hooks';

/**
 * Counts what this process asks the system to connect over TCP while `work` runs, whatever the
 * address and whether or not anybody listens there.
 */
export async function countConnects(work: () => Promise<void>): Promise<number> {
  let connects = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'TCPCONNECTWRAP') connects++;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return connects;
}
