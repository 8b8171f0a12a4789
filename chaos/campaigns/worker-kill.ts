import type { Campaign } from '../campaign';
import { killAtEachStep } from '../kill-at-each-step';

export const workerKill: Campaign = {
  name: 'worker-kill',
  about: 'kills the one worker (-9) at each of its steps, three times over, under bursts of orders',
  size: { gateways: 1, workers: 1 },
  orders: 600,
  run: async (arena) => {
    const [worker] = arena.platform.workers;
    if (worker) await killAtEachStep(arena, 'worker', worker);
  },
};
