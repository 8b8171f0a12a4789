import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLFormattedError,
  Kind,
  visit,
} from 'graphql';
import { viewOf } from '../access/authorization';
import type { GraphContext } from '../context';
import { contextFor } from '../index';
import { operatorOf } from '../../steps/access/caller';

/** Results of one event that are cached, by operation and view; beyond that each subscriber executes its own. */
const MOST_SHARED = 32;

/** Results of an event, by operation and view, cached as long as the event. */
type Made = Map<string, Buffer | Promise<Buffer>>;

/** Numbers documents by identity: the same text is the same document object. */
const documents = new WeakMap<DocumentNode, { readonly id: number; readonly position: string }>();
let named = 0;

/**
 * The variable with the number from which a subscription resumes, if it is used for nothing else: it decides which
 * events come, not what is in them.
 */
function positionOf(document: DocumentNode, operationName: string | null | undefined): string {
  const operation = getOperationAST(document, operationName);
  let position = '';
  for (const field of operation?.selectionSet.selections ?? [])
    if (field.kind === Kind.FIELD)
      for (const { name, value } of field.arguments ?? [])
        if (name.value === 'afterSeq' && value.kind === Kind.VARIABLE) position = value.name.value;
  let uses = 0;
  // One use is the definition, the other the argument.
  visit(document, { Variable: ({ name }) => void (uses += name.value === position ? 1 : 0) });
  return uses === 2 ? position : '';
}

/** Subscribers with the same key get the same result for an event. */
function keyOf({ document, operationName, variableValues, contextValue }: ExecutionArgs): string {
  let known = documents.get(document);
  if (!known) {
    known = { id: ++named, position: positionOf(document, operationName) };
    documents.set(document, known);
  }
  const { position } = known;
  const variables = Object.entries(variableValues ?? {}).filter(([name]) => name !== position);
  const view = viewOf(operatorOf((contextValue as GraphContext).actor));
  return JSON.stringify([known.id, operationName ?? '', variables, view.key]);
}

/** A subscription whose results are made once for all who get the same. */
export interface SharedResults {
  readonly events: AsyncIterator<object, undefined>;
  /** An event's result as the JSON that is sent; a promise while it is being made. */
  readonly payloadOf: (event: object) => Buffer | Promise<Buffer>;
}

/**
 * graphql-js' `subscribe`, with one execution and one JSON text for each event, shared by all subscribers with the same
 * operation and view.
 */
export class SharedSubscribe {
  private readonly made = new WeakMap<object, Made>();

  /** @param format an error as clients see it */
  constructor(private readonly format: (error: GraphQLError) => GraphQLFormattedError) {}

  /** @returns the result of an operation that cannot start, with its errors */
  async subscribe(args: ExecutionArgs): Promise<SharedResults | ExecutionResult> {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return source;
    const key = keyOf(args);
    return {
      events: source[Symbol.asyncIterator]() as AsyncIterator<object, undefined>,
      payloadOf: (event) => this.payloadOf(event, key, args),
    };
  }

  private payloadOf(event: object, key: string, args: ExecutionArgs): Buffer | Promise<Buffer> {
    let made = this.made.get(event);
    if (!made) {
      made = new Map();
      this.made.set(event, made);
    }
    const shared = made.get(key);
    if (shared) return shared;
    const payload = this.payload(event, args);
    if (made.size < MOST_SHARED) {
      const kept = made.set(key, payload);
      // Later subscribers need not wait for a promise.
      payload.then(
        (text) => kept.set(key, text),
        () => undefined,
      );
    }
    return payload;
  }

  private async payload(event: object, args: ExecutionArgs): Promise<Buffer> {
    const context = args.contextValue as GraphContext;
    const { actor } = viewOf(operatorOf(context.actor));
    const contextValue = contextFor(context, actor, context.log, context.traceId);
    const { data = null, errors } = await execute({ ...args, rootValue: event, contextValue });
    return Buffer.from(JSON.stringify(errors ? { data, errors: errors.map(this.format) } : { data }));
  }
}
