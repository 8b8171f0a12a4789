import { CatalogueError } from '../../domain/errors';
import type { Needs } from '../context';
import type { OidcSecrets } from './oidc-client';

/** How long a person may take to sign in at the provider, and then to show a second factor here; minutes. */
export const TICKET_MINUTES = 10;

export const PROOF_MINUTES = 5;

/** What a ticket and a proof hold, sealed: they are kept by the browser alone. */
export type Ticket = OidcSecrets & { readonly until: number };

export interface Proof {
  readonly login: string;
  readonly roles: readonly string[] | null;
  readonly until: number;
}

/** By the purpose that they are sealed for. */
interface Sealed {
  readonly 'oidc:ticket': Ticket;
  readonly 'oidc:proof': Proof;
}

export const ended = (): CatalogueError => new CatalogueError('UNAUTHENTICATED', 'this sign-in has ended: begin again');

/** Reads what we sealed. @throws UNAUTHENTICATED where it is another text, or too old */
export function unseal<Purpose extends keyof Sealed>(
  { now, sealer }: Needs<'now' | 'sealer'>,
  sealed: string,
  purpose: Purpose,
): Sealed[Purpose] {
  let kept: Sealed[Purpose];
  try {
    kept = JSON.parse(sealer.open(sealed, purpose)) as Sealed[Purpose];
  } catch {
    throw ended();
  }
  if (kept.until <= now.getTime()) throw ended();
  return kept;
}
