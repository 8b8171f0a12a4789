import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  Kind,
  visit,
} from 'graphql';
import { operatorOf, viewOf } from '../access/authorization';
import type { GraphContext } from '../context';
import { contextFor } from '../index';

/** Results of one event that are cached, by operation and view; beyond that each subscriber executes its own. */
const MOST_SHARED = 32;

/** Results of an event, by operation and view, cached as long as the event. */
type Made = Map<string, Promise<ExecutionResult>>;

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

/**
 * graphql-js' `subscribe`, with one execution for each event, shared by all subscribers with the same operation and
 * view.
 */
export class SharedSubscribe {
  private readonly made = new WeakMap<object, Made>();

  readonly subscribe = async (
    args: ExecutionArgs,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> => {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return source;
    const key = keyOf(args);
    const events = source[Symbol.asyncIterator]();
    const results: AsyncIterableIterator<ExecutionResult> = {
      [Symbol.asyncIterator]: () => results,
      next: async () => {
        const event = (await events.next()) as IteratorResult<object, undefined>;
        return event.done === true
          ? { value: undefined, done: true }
          : { value: await this.resultOf(event.value, key, args), done: false };
      },
      return: async () => {
        await events.return?.();
        return { value: undefined, done: true };
      },
    };
    return results;
  };

  private async resultOf(
    event: object,
    key: string,
    args: ExecutionArgs,
  ): Promise<ExecutionResult> {
    const made = this.made.get(event) ?? (new Map() as Made);
    this.made.set(event, made);
    const shared = made.get(key);
    if (shared) return await shared;
    const context = args.contextValue as GraphContext;
    const { actor } = viewOf(operatorOf(context.actor));
    const contextValue = contextFor(context, actor, context.log, context.traceId);
    const result = Promise.resolve(execute({ ...args, rootValue: event, contextValue }));
    if (made.size < MOST_SHARED) made.set(key, result);
    return await result;
  }
}
