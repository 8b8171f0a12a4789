import { Session } from 'node:inspector';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/*
 * Required before each process of the testbed: on SIGUSR2 each of its threads collects its garbage, so that the memory
 * that is left is what it keeps. `global.gc` would do, but its flag cannot be set by the environment.
 */

/** Stays connected: it collects in a later turn. */
let session: Session | undefined;

function collect(): void {
  if (!session) {
    session = new Session();
    session.connect();
  }
  session.post('HeapProfiler.collectGarbage');
}

const threads = new BroadcastChannel('collect garbage');
threads.onmessage = collect;
threads.unref();
if (isMainThread)
  process.on('SIGUSR2', () => {
    threads.postMessage(null);
    collect();
  });
