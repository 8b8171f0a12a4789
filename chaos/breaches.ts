import type { Platform } from './platform';

/**
 * What must hold after every campaign: no process ended unexpectedly, the platform's own check finds its ledger correct,
 * and no recovery is under way: whatever failed, only a database that was restored begins one.
 */
export async function platformBreaches(platform: Platform): Promise<string[]> {
  return [
    ...platform.members.flatMap(({ crashes }) => crashes.map((how) => `unexpected end of ${how}`)),
    ...(await problemOf(platform, 'ledger:verify')),
    ...(await problemOf(platform, 'recovery')),
  ];
}

/** @param command succeeds if all is well */
async function problemOf(platform: Platform, command: string): Promise<string[]> {
  try {
    await platform.runOnce(command);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
