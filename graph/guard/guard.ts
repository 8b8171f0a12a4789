import { type DocumentNode, getOperationAST, GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Actor } from '../../steps/access/actor';
import type { GraphContext } from '../context';
import type { Environment } from '../../steps/context';
import { metrics } from '../../runtime/metrics';
import { ReadingBudget } from './budget';
import { costOf } from './cost';
import { Documents, sha256 } from './documents';
import { OPERATION_LIMITS } from './limits';
import type { PersistedOperations } from './persisted';
import { checkVariableValues } from './inputs';
import { Refusal, tooMuch, tooOften } from './refusal';
import { checkVariables } from './variables';

/** An operation that may run. */
export interface Admitted {
  readonly text: string;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A request for an operation, as it was received. */
export type Requested = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformed = (message: string): Refusal => new Refusal('body', 'MALFORMED_REQUEST', message);

/** The budget that pays for parsing: a login's, else an address's. */
const callerOf = ({ actor, origin }: GraphContext): string =>
  actor.kind === 'operator' ? actor.tokenHash : `address:${origin.address ?? ''}`;

const hashOf = ({ extensions }: Requested): string | undefined => {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined;
  if (!isObject(persisted)) return undefined;
  const { version, sha256Hash } = persisted;
  if (version !== 1 || typeof sha256Hash !== 'string')
    throw new Refusal('persisted', 'MALFORMED_REQUEST', 'persistedQuery: version 1 and a hash');
  return sha256Hash.toLowerCase();
};

/** A browser's session: it may run only the console's own operations. */
const isBrowser = (actor: Actor): boolean => actor.kind === 'operator' && actor.cookie;

/**
 * Decides which operations run on the internal listener, with the cheapest check first. The gateway's own operations
 * are parsed once and do not pass here.
 */
export class Guard {
  readonly documents: Documents;
  private readonly budget = new ReadingBudget();
  private readonly underWay = new Map<string, number>();

  /** Production shows no schema, so its refusals must not spell it either. */
  private readonly hideSuggestions: boolean;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly environment: Environment,
    private readonly persisted: PersistedOperations,
  ) {
    this.hideSuggestions = environment === 'production';
    this.documents = new Documents(schema, this.hideSuggestions);
  }

  /** The cached document with this hash of its text. */
  find(textHash: string): DocumentNode | undefined {
    const persisted = this.persisted.get(textHash);
    if (persisted) return persisted.document;
    const read = this.documents.find(textHash);
    return read && 'document' in read ? read.document : undefined;
  }

  /** @throws GraphQLError, or an AggregateError of several, for a refused document; counted */
  admit(requested: unknown, context: GraphContext): Admitted {
    try {
      return this.look(requested, context);
    } catch (error) {
      const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
      metrics.operationsRefused.inc({ limit: limitOf(first) });
      throw error;
    }
  }

  /** @throws Refusal for a variable whose value does not fit its type; counted */
  checkValues({ document, operationName, variables }: Admitted): void {
    const operation = getOperationAST(document, operationName);
    try {
      if (operation) checkVariableValues(this.schema, operation, variables, this.hideSuggestions);
    } catch (error) {
      metrics.operationsRefused.inc({ limit: limitOf(error) });
      throw error;
    }
  }

  /**
   * Takes one of a caller's slots for operations in flight.
   * @returns releases the slot
   * @throws Refusal if the caller has too many under way
   */
  enter(context: GraphContext): () => void {
    const caller = callerOf(context);
    const count = this.underWay.get(caller) ?? 0;
    if (count >= OPERATION_LIMITS.underWay) {
      metrics.operationsRefused.inc({ limit: 'under_way' });
      throw tooOften('under_way', 'too many operations under way');
    }
    this.underWay.set(caller, count + 1);
    return () => {
      const left = (this.underWay.get(caller) ?? 1) - 1;
      if (left > 0) this.underWay.set(caller, left);
      else this.underWay.delete(caller);
    };
  }

  private look(requested: unknown, context: GraphContext): Admitted {
    if (Array.isArray(requested)) throw new Refusal('batch', 'BATCHING_OFF', 'one operation a request');
    if (!isObject(requested)) throw malformed('the body must be one JSON object');
    const { variables, operationName } = requested;
    if (variables !== undefined && variables !== null && !isObject(variables))
      throw malformed('variables must be an object');
    if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
      throw malformed('operationName must be a text');
    checkVariables(variables);
    const admitted = {
      ...this.documentOf(requested, context),
      operationName: operationName ?? null,
      variables: variables ?? {},
    };
    this.checkOperation(admitted);
    return admitted;
  }

  private documentOf(requested: Requested, context: GraphContext): Pick<Admitted, 'text' | 'document'> {
    const hash = hashOf(requested);
    const known = hash === undefined ? undefined : this.persisted.get(hash);
    if (known) return { text: known.text, document: known.document };
    const { query } = requested;
    if (isBrowser(context.actor) && this.environment === 'production')
      throw new Refusal('persisted', 'PERSISTED_ONLY', "a browser runs the console's operations");
    if (typeof query !== 'string' || query === '') {
      if (hash === undefined) throw malformed('query must be a text');
      throw new Refusal('persisted', 'PERSISTED_QUERY_NOT_FOUND', 'no such persisted operation');
    }
    return { text: query, document: this.read(query, context) };
  }

  private read(text: string, context: GraphContext): DocumentNode {
    const { characters } = OPERATION_LIMITS;
    if (text.length > characters) throw tooMuch('document_size', `a document has at most ${characters} characters`);
    const hash = sha256(text);
    const caller = callerOf(context);
    const read =
      this.documents.find(hash) ??
      (this.budget.allows(caller) ? this.budget.charge(caller, () => this.documents.read(text, hash)) : undefined);
    if (!read)
      throw tooOften(
        'reading_budget',
        'too many new documents: repeat documents that you sent before',
        this.budget.waitMs(caller),
      );
    if ('errors' in read) {
      const [first, ...more] = read.errors;
      throw more.length === 0 && first ? first : new AggregateError(read.errors);
    }
    if (read.introspects) this.checkIntrospection(context);
    return read.document;
  }

  private checkIntrospection({ actor }: GraphContext): void {
    if (this.environment === 'production')
      throw new Refusal('introspection', 'INTROSPECTION_OFF', 'the schema is in docs/schema.graphql');
    if (actor.kind === 'anonymous') throw new Refusal('introspection', 'UNAUTHENTICATED', 'log in first');
  }

  private checkOperation({ document, operationName, variables }: Admitted): void {
    const operation = getOperationAST(document, operationName);
    if (!operation) throw malformed('operationName must name an operation of the document');
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) return;
    const cost = costOf(this.schema, document, operation, variables);
    if (cost > OPERATION_LIMITS.cost)
      throw tooMuch('cost', `cost: ${cost} is above the limit of ${OPERATION_LIMITS.cost}`);
  }
}

function limitOf(error: unknown): string {
  if (error instanceof Refusal) return error.limit;
  if (!(error instanceof GraphQLError)) return 'body';
  return error.extensions['code'] === 'GRAPHQL_PARSE_FAILED' ? 'syntax' : 'validation';
}
