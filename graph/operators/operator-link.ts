import { uuidv7 } from 'uuidv7';
import type { Lookup } from '../../crypto/lookup';
import type { Sealer } from '../../crypto/seal';
import { newLinkToken } from '../../crypto/tokens';

/** What making a link's secret needs. */
interface LinkDeps {
  readonly sealer: Sealer;
  readonly lookup: (secret: string) => string;
}

/** A new link: its sealed secret, only for the mail, and the hash by which it will be found. */
export type LinkSecret = Readonly<{
  id: string;
  mailId: string;
  tokenHash: string;
  sealedToken: string;
}>;

/** The purpose under which a link's secret is hashed. */
export const linkText = (token: string): string => `link:${token}`;

/** The hashes by which a link is found. */
export const linkHashes = (
  { lookup }: { readonly lookup: Pick<Lookup, 'all'> },
  token: string,
): readonly string[] => lookup.all(linkText(token));

/** A fresh secret of a link. */
export function newLinkSecret(deps: LinkDeps, id = uuidv7()): LinkSecret {
  const token = newLinkToken();
  return {
    id,
    mailId: uuidv7(),
    tokenHash: deps.lookup(linkText(token)),
    sealedToken: deps.sealer.seal(token, `operator_link:${id}`),
  };
}
