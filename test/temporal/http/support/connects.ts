import { createHook } from 'node:async_hooks';

/**
 * Counts the TCP connects that this process makes while `work` runs, to any address, whether or not anything listens
 * there.
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
