import { LIMITS } from '../../domain/limits';

/** Limits of one operation on the internal listener. Ready documents stay far below; split a larger one. */
export const OPERATION_LIMITS = {
  /** Of a document, characters and tokens: beyond them nothing is parsed. */
  characters: 20_000,
  tokens: 2_000,
  /** Selection sets within one another, the schema's own fields left out. */
  depth: 12,
  /** Fields, each spread of a fragment counted with all that is in it. */
  fields: 1_000,
  rootFields: 20,
  aliases: 30,
  directives: 20,
  fragments: 50,
  /** Most objects of an answer, estimated from the arguments (cost.ts). */
  cost: 10_000,
  /** Of the variables. */
  variablesDepth: 12,
  variablesItems: 2_000,
  /** Under way at once: of a login over HTTP, of a socket. */
  underWay: 32,
  subscriptions: 50,
  /** Sockets of a login. */
  sockets: 64,
} as const;

/** Bytes of a request or of a message over a socket. */
export const REQUEST_BYTES = 64 * 1024;
/** Extra bytes of a request that carries a file as base64. */
export const FILE_REQUEST_BYTES = Math.ceil((LIMITS.transferProofBytes * 4) / 3) + REQUEST_BYTES;
/** Mutations that take a file. */
export const FILE_MUTATIONS: ReadonlySet<string> = new Set([
  'attachTransferProof',
  'addStatementPart',
]);
