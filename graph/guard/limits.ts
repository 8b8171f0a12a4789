import { LIMITS } from '../../domain/limits';

/** Limits of one operation on the internal listener. Our own documents stay far below; split a larger one. */
export const OPERATION_LIMITS = {
  /** Characters and tokens of a document; a longer one is not parsed. */
  characters: 20_000,
  tokens: 2_000,
  /** Nested selection sets, without introspection fields. */
  depth: 12,
  /** Fields; each spread of a fragment counts with all its fields. */
  fields: 1_000,
  rootFields: 20,
  aliases: 30,
  directives: 20,
  fragments: 50,
  /** Most objects of an answer, estimated from the arguments (cost.ts). */
  cost: 10_000,
  /** Nesting and size of the variables. */
  variablesDepth: 12,
  variablesItems: 2_000,
  /** Operations under way: of a login over HTTP, of a socket. */
  underWay: 32,
  subscriptions: 50,
  /** Sockets of a login. */
  sockets: 64,
} as const;

/** Bytes of a request, or of a message over a socket. */
export const REQUEST_BYTES = 64 * 1024;
/** Extra bytes of a request that carries a file as base64. */
export const FILE_REQUEST_BYTES = Math.ceil((LIMITS.transferProofBytes * 4) / 3) + REQUEST_BYTES;
/** Mutations that take a file. */
export const FILE_MUTATIONS: ReadonlySet<string> = new Set(['attachTransferProof', 'addStatementPart']);
