import {
  type ASTNode,
  BREAK,
  coerceInputValue,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  visit,
} from 'graphql';
import { isStorable, MALFORMED_TEXT } from '../../domain/well-formed';
import { type LimitName, Refusal } from './refusal';

const malformed = (limit: LimitName, field: string, message: string): Refusal =>
  new Refusal(limit, 'MALFORMED_REQUEST', `${field}: ${message}`, { field, reason: 'MALFORMED' });

/** A text that neither PostgreSQL nor UTF-8 can store, as the signed API refuses it. */
export const malformedText = (limit: LimitName, field: string): Refusal =>
  malformed(limit, field, `malformed text: it ${MALFORMED_TEXT}`);

const missing = (limit: LimitName, field: string): Refusal =>
  new Refusal(limit, 'MALFORMED_REQUEST', `${field}: is required`, { field, reason: 'REQUIRED' });

/** graphql names the input object if one of its fields is missing. */
const MISSING_FIELD = /^Field "(?:\w+\.)?(\w+)" of required type/;

function refusal(limit: LimitName, path: string, message: string): Refusal {
  const [, field] = MISSING_FIELD.exec(message) ?? [];
  return field === undefined
    ? malformed(limit, path, message)
    : missing(limit, path === '' ? field : `${path}.${field}`);
}

/**
 * @throws Refusal for the first variable whose value does not fit its type, with the path of the wrong value
 */
export function checkVariableValues(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Readonly<Record<string, unknown>>,
  hideSuggestions: boolean,
): void {
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    // A variable without an input type was refused with the document.
    if (!type || !isInputType(type)) continue;
    const value = values[name];
    if (value === undefined) {
      if (isNonNullType(type) && !defaultValue) throw missing('variables', name);
      continue;
    }
    const refuse: Parameters<typeof coerceInputValue>[2] = (path, invalid, { message }) => {
      const at = [name, ...path].join('.');
      throw invalid === null ? missing('variables', at) : refusal('variables', at, message);
    };
    coerceInputValue(value, type, refuse, hideSuggestions);
  }
}

/** The path to a literal value in a document: arguments and fields of input objects. */
function literalPath(document: DocumentNode, literal: ASTNode | undefined): string {
  let names: string[] = [];
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (node !== literal) return undefined;
      // Lists of siblings stand between a node and its parent.
      names = [...ancestors, parent, node].flatMap((one) =>
        one && 'kind' in one && (one.kind === Kind.ARGUMENT || one.kind === Kind.OBJECT_FIELD) ? [one.name.value] : [],
      );
      return BREAK;
    },
  });
  return names.join('.');
}

/** @throws Refusal for a literal text that cannot be stored */
export function checkTexts(document: DocumentNode): void {
  visit(document, {
    StringValue(node) {
      if (!isStorable(node.value)) throw malformedText('validation', literalPath(document, node));
    },
  });
}

/** A literal value that does not fit its type is refused like a variable's value. */
export const literalRefusal = (document: DocumentNode, { nodes, message }: GraphQLError): Refusal =>
  refusal('validation', literalPath(document, nodes?.[0]), message);
