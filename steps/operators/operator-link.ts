import { uuidv7 } from 'uuidv7';
import type { Lookup } from '../../crypto/lookup';
import { linkToHash } from '../../crypto/tokens';

/** A link to come, and its mail. Its token is made when the mail is sent. */
export type LinkIds = Readonly<{ id: string; mailId: string }>;

/** The hashes by which a link is found. */
export const linkHashes = ({ lookup }: { readonly lookup: Pick<Lookup, 'all'> }, token: string): readonly string[] =>
  lookup.all(linkToHash(token));

/** The ids of a new link and of its mail. */
export const newLinkIds = (id = uuidv7()): LinkIds => ({ id, mailId: uuidv7() });
