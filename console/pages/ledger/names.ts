import { useQuery } from 'urql';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import { LedgerNamesDocument, MerchantChoicesDocument } from '../../generated/operations';

/** The name of a ledger account. */
export type AccountName = (account: string) => string;

const named = (
  rows: readonly { readonly id: string; readonly name: string }[] | undefined,
): ReadonlyMap<string, string> => new Map(rows?.map(({ id, name }) => [id, name]));

/** Names of ledger accounts, with the names of banks, channels, merchants and resellers; ids if unknown. */
export function useAccountName(): AccountName {
  const { me } = useSession();
  const [{ data: platform }] = useQuery({
    query: LedgerNamesDocument,
    // Operators restricted to merchants get no platform accounts.
    pause: me.merchantIds !== null,
  });
  const [{ data: theirs }] = useQuery({ query: MerchantChoicesDocument });
  const banks = named(platform?.bankAccounts.nodes);
  const channels = named(platform?.channels.nodes);
  const resellers = named(platform?.resellers);
  const merchants = named(theirs?.merchants.nodes.map(({ id, merchantCode }) => ({ id, name: merchantCode })));
  return (account) => {
    const [kind = '', id = '', part = ''] = account.split(':');
    switch (kind) {
      case 'bank':
        return `Bank · ${banks.get(id) ?? id}`;
      case 'channel':
        return `Channel · ${channels.get(id) ?? id}`;
      case 'merchant':
        return `${merchants.get(id) ?? id} · ${part}`;
      case 'merchant_receivable':
        return `${merchants.get(id) ?? id} · owes us`;
      case 'reseller':
        return `Reseller · ${resellers.get(id) ?? id}`;
      default:
        return inWords(kind);
    }
  };
}
