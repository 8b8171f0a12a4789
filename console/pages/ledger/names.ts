import { useQuery } from 'urql';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import { LedgerNamesDocument, MerchantChoicesDocument } from '../../generated/operations';

/** An account of the ledger's chart as people call it. */
export type AccountName = (account: string) => string;

const named = (
  rows: readonly { readonly id: string; readonly name: string }[] | undefined,
): ReadonlyMap<string, string> => new Map(rows?.map(({ id, name }) => [id, name]));

/** The names of the ledger's accounts: of banks, channels and merchants their own; ids where one is not known. */
export function useAccountName(): AccountName {
  const { me } = useSession();
  const [{ data: platform }] = useQuery({
    query: LedgerNamesDocument,
    // Who is restricted to merchants is given no account of the platform's.
    pause: me.merchantIds !== null,
  });
  const [{ data: theirs }] = useQuery({ query: MerchantChoicesDocument });
  const banks = named(platform?.bankAccounts.nodes);
  const channels = named(platform?.channels.nodes);
  const merchants = named(
    theirs?.merchants.nodes.map(({ id, merchantCode }) => ({ id, name: merchantCode })),
  );
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
      default:
        return inWords(kind);
    }
  };
}
