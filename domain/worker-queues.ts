/** The queues of Temporal that a worker can serve, by their names in WORKER_QUEUES. */
export const WORKER_QUEUES = [
  'orders',
  'withdrawals',
  'background',
  'callbacks',
  'payouts',
  'channel-deposits',
] as const;

/** One of WORKER_QUEUES. */
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

/** @throws if a name is unknown or comes twice, or if there is none */
export function readWorkerQueues(text: string): readonly WorkerQueue[] {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name, place) => {
    const queue = WORKER_QUEUES.find((known) => known === name);
    if (queue === undefined || names.indexOf(name) < place)
      throw new Error(
        `WORKER_QUEUES must be names of ${WORKER_QUEUES.join(', ')}, comma-separated, each once: not ${name}`,
      );
    return queue;
  });
}
