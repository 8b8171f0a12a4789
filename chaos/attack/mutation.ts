import type { Content, Draft, Drafts } from './draft';
import type { Random } from './random';
import type { World } from './world';

/** The sources that mutations may use. */
export interface Tools {
  readonly world: World;
  readonly random: Random;
  readonly drafts: Drafts;
}

/** Changes the content before it is signed: an honest client with odd content. */
export type ContentMutation = (content: Content, tools: Tools) => void;
/** Changes a request after it was signed. */
export type Tampering = (draft: Draft, tools: Tools) => void;
/** Turns a signed request into the bytes of a connection. */
export type Wiring = (draft: Draft, tools: Tools) => Buffer[];

/** Mutations by their name in a report. */
export type Named<Mutation> = Readonly<Record<string, Mutation>>;
