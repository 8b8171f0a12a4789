import type { Campaign } from '../campaign';
import { killAtEachStep } from '../kill-at-each-step';

export const gatewayKill: Campaign = {
  name: 'gateway-kill',
  about: 'kills the one gateway (-9) at each of its steps, three times over, under bursts of orders',
  size: { gateways: 1, workers: 1 },
  orders: 720,
  run: async (arena) => {
    const [gateway] = arena.platform.gateways;
    if (gateway) await killAtEachStep(arena, 'gateway', gateway);
  },
};
