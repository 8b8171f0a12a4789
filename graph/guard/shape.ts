import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { OPERATION_LIMITS } from './limits';
import { tooMuch } from './refusal';

/** The measures of a selection that need no schema. */
interface Shape {
  depth: number;
  fields: number;
  aliases: number;
  directives: number;
  /** Whether it has introspection fields. */
  introspects: boolean;
}

const INTROSPECTION: ReadonlySet<string> = new Set(['__schema', '__type']);

/** Measures selections; each fragment once, even if it is spread often. */
class Measure {
  /** Undefined while it is being measured: a spread of it then is a cycle. */
  private readonly fragments = new Map<string, Shape | undefined>();
  private readonly definitions: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(document: DocumentNode) {
    this.definitions = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
      ),
    );
  }

  of({ selections }: SelectionSetNode, introspecting = false): Shape {
    const all: Shape = { depth: 0, fields: 0, aliases: 0, directives: 0, introspects: false };
    for (const selection of selections) {
      all.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        add(all, this.ofFragment(selection.name.value), 0);
        continue;
      }
      const isField = selection.kind === Kind.FIELD;
      const introspects = isField && INTROSPECTION.has(selection.name.value);
      if (isField) {
        all.fields++;
        if (selection.alias) all.aliases++;
        all.introspects ||= introspects;
        // graphql-js has its own rule for introspection fields, and the usual introspection query is deep.
        if (!introspecting && !introspects) all.depth = Math.max(all.depth, 1);
      }
      if (!selection.selectionSet) continue;
      const inside = this.of(selection.selectionSet, introspecting || introspects);
      add(all, inside, isField && !introspecting && !introspects ? 1 : 0);
    }
    return all;
  }

  private ofFragment(name: string): Shape {
    const definition = this.definitions.get(name);
    // graphql-js reports an unknown fragment.
    if (!definition) return NOTHING;
    const known = this.fragments.get(name);
    if (known) return known;
    if (this.fragments.has(name)) throw tooMuch('fragments', 'fragments spread one another');
    this.fragments.set(name, undefined);
    const ofSchema = definition.typeCondition.name.value.startsWith('__');
    const shape = this.of(definition.selectionSet, ofSchema);
    shape.directives += directivesOf(definition);
    this.fragments.set(name, shape);
    return shape;
  }
}

const NOTHING: Shape = { depth: 0, fields: 0, aliases: 0, directives: 0, introspects: false };

const directivesOf = ({ directives }: { readonly directives?: readonly DirectiveNode[] }): number =>
  directives?.length ?? 0;

function add(all: Shape, inside: Shape, deeper: number): void {
  all.depth = Math.max(all.depth, inside.depth + deeper);
  all.fields += inside.fields;
  all.aliases += inside.aliases;
  all.directives += inside.directives;
  all.introspects ||= inside.introspects;
}

/**
 * Measures a document without the schema, in time linear in its text.
 * @returns whether it has introspection fields
 * @throws Refusal if it exceeds a limit
 */
export function checkShape(document: DocumentNode): boolean {
  const most = OPERATION_LIMITS;
  const measure = new Measure(document);
  let introspects = false;
  let fragments = 0;
  const refuseAbove = (limit: 'depth' | 'fields' | 'aliases' | 'directives', value: number): void => {
    if (value > most[limit]) throw tooMuch(limit, `${limit}: ${String(value)} is above the limit of ${most[limit]}`);
  };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      if (++fragments > most.fragments) throw tooMuch('fragments', `more than ${most.fragments} fragments`);
      continue;
    }
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const shape = measure.of(definition.selectionSet);
    shape.directives += directivesOf(definition);
    if (definition.selectionSet.selections.length > most.rootFields)
      throw tooMuch('root_fields', `more than ${most.rootFields} root fields`);
    for (const limit of ['depth', 'fields', 'aliases', 'directives'] as const) refuseAbove(limit, shape[limit]);
    introspects ||= shape.introspects;
  }
  return introspects;
}
