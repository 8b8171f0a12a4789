import { hash } from 'node:crypto';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
  ValuesOfCorrectTypeRule,
} from 'graphql';
import { checkTexts, literalRefusal } from './inputs';
import { OPERATION_LIMITS } from './limits';
import { Refusal, tooMuch } from './refusal';
import { checkShape } from './shape';

/** A parsed text: the document, or why it is refused. */
export type ReadDocument =
  { readonly document: DocumentNode; readonly introspects: boolean } | { readonly errors: readonly GraphQLError[] };

/** The limits of the cache: texts, and their characters. */
const REMEMBERED = 1_000;
const REMEMBERED_CHARACTERS = 4_000_000;
/** The error of a document that does not fit the schema. */
const MOST_ERRORS = 5;

export const sha256 = (text: string): string => hash('sha256', text);

/**
 * Parses and validates each text once, because that takes many times as long as running it. Refusals are cached too. A
 * document is checked for its size first, then for its shape, then against the schema.
 */
export class Documents {
  /** By the hash of the text, the last used one last. */
  private readonly known = new Map<string, { readonly read: ReadDocument; readonly size: number }>();
  private characters = 0;

  /** @param hideSuggestions whether refusals name no fields of the schema that the document does not */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly hideSuggestions: boolean,
  ) {}

  /** The cached result for the text with this hash. */
  find(textHash: string): ReadDocument | undefined {
    const found = this.known.get(textHash);
    if (!found) return undefined;
    this.known.delete(textHash);
    this.known.set(textHash, found);
    return found.read;
  }

  /** Parses a text of at most OPERATION_LIMITS.characters. */
  read(text: string, textHash = sha256(text)): ReadDocument {
    const found = this.find(textHash);
    if (found) return found;
    const read = this.readAnew(text);
    this.known.set(textHash, { read, size: text.length });
    this.characters += text.length;
    for (const [oldest, { size }] of this.known) {
      if (this.known.size <= REMEMBERED && this.characters <= REMEMBERED_CHARACTERS) break;
      this.known.delete(oldest);
      this.characters -= size;
    }
    return read;
  }

  private readAnew(text: string): ReadDocument {
    try {
      const document = parsed(text);
      const introspects = checkShape(document);
      checkTexts(document);
      const errors = this.errorsOf(document);
      return errors.length > 0 ? { errors } : { document, introspects };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }

  private errorsOf(document: DocumentNode): readonly GraphQLError[] {
    const validated = (rules: typeof specifiedRules): readonly GraphQLError[] =>
      validate(this.schema, document, rules, {
        maxErrors: MOST_ERRORS,
        hideSuggestions: this.hideSuggestions,
      });
    const errors = validated(DOCUMENT_RULES);
    return errors.length > 0
      ? errors.map(asInvalid)
      : validated([ValuesOfCorrectTypeRule]).map((error) => literalRefusal(document, error));
  }
}

/** Checks the document against the schema; then the values in it. */
const DOCUMENT_RULES = specifiedRules.filter((rule) => rule !== ValuesOfCorrectTypeRule);

function parsed(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: OPERATION_LIMITS.tokens, noLocation: true });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (/more tha[nt] \d+ tokens/.test(error.message))
      throw tooMuch('tokens', `more than ${OPERATION_LIMITS.tokens} tokens`);
    throw withCode(error, 'GRAPHQL_PARSE_FAILED');
  }
}

const asInvalid = (error: GraphQLError): GraphQLError =>
  error instanceof Refusal ? error : withCode(error, 'GRAPHQL_VALIDATION_FAILED');

/** The usual GraphQL code for a text that is not a document. */
const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    ...(error.source && { source: error.source }),
    ...(error.positions && { positions: error.positions }),
    extensions: { code, retryable: false },
  });
