import type { Client } from 'urql';
import { BeginOidcSignInDocument } from '../generated/operations';
import { type Failure, failureOf } from './failure';

/** The page that the identity provider sends people back to. */
export const OIDC_PATH = '/oidc';

const KEPT = 'causeway.single-sign-on';

/** What this tab keeps while its person is at the identity provider. */
export interface Begun {
  readonly ticket: string;
  /** The page to go back to. */
  readonly from: string;
}

/** Goes to the identity provider. @returns why it could not; never otherwise, for the page is left */
export async function goToProvider(client: Client, from: string): Promise<Failure | null> {
  const { data, error } = await client.mutation(BeginOidcSignInDocument, {});
  if (error) return failureOf(error);
  if (!data) return null;
  const { url, ticket } = data.beginOidcSignIn;
  const begun: Begun = { ticket, from };
  sessionStorage.setItem(KEPT, JSON.stringify(begun));
  window.location.assign(url);
  return null;
}

/** What this tab began; null: nothing. */
export function readBegun(): Begun | null {
  const text = sessionStorage.getItem(KEPT);
  return text === null ? null : (JSON.parse(text) as Begun);
}

/** A ticket is good for one answer. */
export function forgetBegun(): void {
  sessionStorage.removeItem(KEPT);
}
