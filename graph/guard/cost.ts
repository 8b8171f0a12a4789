import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/** Rows of a page without `first` or `last`. */
const PAGE = 50;
/** Objects of a list that takes no `first`: an order's events, its callbacks. */
const LIST = 10;
/** The cost of a mutation. */
const MUTATION = 10;

const isList = ({ type }: GraphQLField<unknown, unknown>): boolean =>
  isListType(isNonNullType(type) ? type.ofType : type);

/** Counts the objects that an operation may return. */
class Counter {
  private readonly fragments = new Map<string, number>();
  private readonly definitions: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Variables,
  ) {
    this.definitions = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
      ),
    );
  }

  of(type: GraphQLNamedType | undefined, { selections }: SelectionSetNode): number {
    let cost = 0;
    for (const selection of selections)
      switch (selection.kind) {
        case Kind.FIELD:
          cost += this.ofField(type, selection);
          break;
        case Kind.INLINE_FRAGMENT: {
          const { typeCondition, selectionSet } = selection;
          const inner = typeCondition ? this.schema.getType(typeCondition.name.value) : type;
          cost += this.of(inner, selectionSet);
          break;
        }
        case Kind.FRAGMENT_SPREAD:
          cost += this.ofFragment(selection.name.value);
      }
    return cost;
  }

  private ofFragment(name: string): number {
    const known = this.fragments.get(name);
    if (known !== undefined) return known;
    const definition = this.definitions.get(name);
    if (!definition) return 0;
    const type = this.schema.getType(definition.typeCondition.name.value);
    const cost = this.of(type, definition.selectionSet);
    this.fragments.set(name, cost);
    return cost;
  }

  private ofField(parent: GraphQLNamedType | undefined, node: FieldNode): number {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field) return 0;
    const type = getNamedType(field.type);
    const declared = field.extensions['cost'];
    const mutates = parent === this.schema.getMutationType();
    const own = typeof declared === 'number' ? declared : mutates ? MUTATION : isCompositeType(type) ? 1 : 0;
    const inside = node.selectionSet ? this.of(type, node.selectionSet) : 0;
    const size = this.sizeOf(parent, field, node);
    return isList(field) ? size * (own + inside) : own + size * inside;
  }

  /** How often the fields inside of a field may be returned. */
  private sizeOf(parent: GraphQLNamedType | undefined, field: GraphQLField<unknown, unknown>, node: FieldNode): number {
    const sizes = field.args.filter(({ name }) => name === 'first' || name === 'last');
    if (sizes.length > 0) {
      const asked = sizes.flatMap(({ name, defaultValue }) => this.argument(node, name, defaultValue));
      return asked.length === 0 ? PAGE : Math.max(1, ...asked);
    }
    // The rows of a page are counted at the field with the page's arguments.
    if (!isList(field) || parent?.name.endsWith('Connection') || parent?.name.endsWith('Page')) return 1;
    return LIST;
  }

  private argument(node: FieldNode, name: string, byDefault: unknown): number[] {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    const given =
      value?.kind === Kind.INT
        ? Number(value.value)
        : value?.kind === Kind.VARIABLE
          ? this.variables[value.name.value]
          : undefined;
    const size = given ?? byDefault;
    return typeof size === 'number' ? [size] : [];
  }
}

/** Variables with the defaults that the operation gives them. */
function withDefaults({ variableDefinitions }: OperationDefinitionNode, variables: Variables): Variables {
  const defaults = (variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
  );
  return { ...(Object.fromEntries(defaults) as Variables), ...variables };
}

/**
 * The most objects that an answer may hold, by the arguments: fields inside of a list count once for each row that the
 * list may have. A field may declare its own cost (`@Extensions({ cost })`).
 * @param document without cycles of fragments: checkShape has checked it
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  const counter = new Counter(schema, document, withDefaults(operation, variables));
  return counter.of(schema.getRootType(operation.operation) ?? undefined, operation.selectionSet);
}
