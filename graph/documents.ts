import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';

/** A text as it was read: the document, or why it is none of this schema. */
export type ReadDocument =
  { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** Texts that are remembered at once. */
const REMEMBERED = 1_000;

/** Reads each text once: parsing and validating take many times as long as running. The same text is the same document. */
export class Documents {
  /** The one used last is last. */
  private readonly known = new Map<string, ReadDocument>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** The document of a text. */
  read(text: string): ReadDocument {
    const read = this.known.get(text) ?? this.readAnew(text);
    this.known.delete(text);
    this.known.set(text, read);
    const [oldest] = this.known.keys();
    if (this.known.size > REMEMBERED && oldest !== undefined) this.known.delete(oldest);
    return read;
  }

  private readAnew(text: string): ReadDocument {
    try {
      const document = parse(text, { noLocation: true });
      const errors = validate(this.schema, document);
      return errors.length > 0 ? { errors } : { document };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }
}
