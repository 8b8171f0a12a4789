import { provide, temporalServer } from '../local/servers';
import { takeFreshFolder } from './fresh-folder';
import { Platform, type Size } from './platform';
import type { CampaignOptions, Outcome } from './outcome';

/** Runs `play` on a platform of its own in an emptied folder, and stops the platform however that ends. */
export async function onOwnPlatform(
  { folder, env, say, signal }: Omit<CampaignOptions, 'orders' | 'seed'>,
  size: Size,
  play: (platform: Platform) => Promise<Outcome>,
): Promise<Outcome> {
  if (size.temporalOverPostgres === true) await provide(temporalServer, env, say);
  const release = await takeFreshFolder(folder);
  try {
    const platform = await Platform.start(folder, env, size, signal);
    say(`the platform serves: ${platform.members.map(({ name }) => name).join(', ')}`);
    try {
      return await play(platform);
    } finally {
      await platform.stop();
      say('all is stopped');
    }
  } finally {
    release();
  }
}
