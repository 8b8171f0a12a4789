import { WALLET_CURRENCY } from '../../domain/channel-deposit';
import { invalidField } from '../../domain/errors';
import type { CurrencyChange } from '../../db/merchants/merchants';
import type { Needs } from '../context';

/** Checks the mobile wallets of currencies. @throws INVALID_FIELD */
export async function checkWallets({ loaders }: Needs<'loaders'>, changes: readonly CurrencyChange[]): Promise<void> {
  for (const { currencyCode, walletChannelId } of changes) {
    if (walletChannelId === null || walletChannelId === undefined) continue;
    if (currencyCode !== WALLET_CURRENCY)
      throw invalidField('walletChannelId', `is for ${WALLET_CURRENCY} alone`, 'NOT_ALLOWED');
    const channel = await loaders.channels.load(walletChannelId);
    if (!channel || channel.walletKind === null)
      throw invalidField('walletChannelId', 'is no mobile wallet', 'UNKNOWN_VALUE');
  }
}
