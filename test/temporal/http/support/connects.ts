import { AsyncLocalStorage, createHook } from 'node:async_hooks';

/**
 * Counts the TCP connects that `work` makes, to any address, whether or not anything listens there. Those that other
 * parts of the process make meanwhile do not count: a pool of an earlier test may connect again at any time.
 */
export async function countConnects(work: () => Promise<void>): Promise<number> {
  const working = new AsyncLocalStorage<true>();
  let connects = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'TCPCONNECTWRAP' && working.getStore() === true) connects++;
    },
  }).enable();
  try {
    await working.run(true, work);
  } finally {
    hook.disable();
  }
  return connects;
}
