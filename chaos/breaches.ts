import type { Platform } from './platform';

/**
 * What must hold after every campaign: no process ended unexpectedly, and the platform's own check finds its ledger
 * correct.
 */
export async function platformBreaches(platform: Platform): Promise<string[]> {
  return [
    ...platform.members.flatMap(({ crashes }) => crashes.map((how) => `unexpected end of ${how}`)),
    ...(await ledgerProblem(platform)),
  ];
}

async function ledgerProblem(platform: Platform): Promise<string[]> {
  try {
    await platform.runOnce('ledger:verify');
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
