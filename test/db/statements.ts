import path from 'node:path';
import ts from 'typescript';

const ROOT = path.join(__dirname, '..', '..');

/** The text that replaces a parameter while its statement is described. */
export type Sample = Date | boolean | Buffer | readonly string[] | null;

/** A tagged statement of db/. */
export interface Statement {
  /** `file:line`. */
  readonly at: string;
  /** The text before its first parameter or fragment. */
  readonly begin: string;
  /** Its texts: one for each combination of conditional fragments. Empty if they are made at run time. */
  readonly texts: readonly { readonly text: string; readonly samples: readonly Sample[] }[];
  /** The fields of the declared row with their possible types; null if none is declared. */
  readonly fields: ReadonlyMap<string, readonly string[]> | null;
}

/** The arguments with which a fragment's function was called. */
type Bindings = ReadonlyMap<ts.Symbol, { readonly value: ts.Expression; readonly within: Bindings }>;
interface Text {
  text: string;
  readonly samples: Sample[];
}

/** The replacements for parts that lists make at run time (db/pages.ts): they name no column of the answer. */
const OF_A_LIST: Readonly<Record<string, string>> = {
  all: 'true',
  among: 'true',
  owned: 'true',
  within: 'true',
  window: '',
};

const isOf = (type: ts.Type, flags: ts.TypeFlags): boolean =>
  type.isUnion() ? type.types.some((one) => isOf(one, flags)) : (type.flags & flags) !== 0;

const headOf = (template: ts.TemplateLiteral): string =>
  (ts.isTemplateExpression(template) ? template.head : template).text.trim();

class Reader {
  private readonly checker: ts.TypeChecker;
  /** The branches of the conditions in the current text. */
  private way = true;

  constructor(private readonly program: ts.Program) {
    this.checker = program.getTypeChecker();
  }

  *statements(): Generator<Statement> {
    for (const file of this.program.getSourceFiles())
      if (/\/db\/(?!schema\/)/.test(file.fileName) && !file.isDeclarationFile) yield* this.within(file, file);
  }

  private *within(file: ts.SourceFile, node: ts.Node): Generator<Statement> {
    // Only awaited templates are sent; other templates are fragments of these.
    if (ts.isTaggedTemplateExpression(node) && this.isSent(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const [declared] = node.typeArguments ?? [];
      const texts = [true, false].flatMap((way) => {
        this.way = way;
        const made: Text = { text: '', samples: [] };
        return this.write(made, node.template, new Map()) ? [made] : [];
      });
      yield {
        at: `${path.relative(ROOT, file.fileName)}:${line + 1}`,
        begin: headOf(node.template),
        texts: texts.filter(({ text }, n) => n === 0 || text !== texts[0]?.text),
        fields: declared ? this.fieldsOf(declared) : null,
      };
    }
    const inner: ts.Node[] = [];
    node.forEachChild((child) => void inner.push(child));
    for (const child of inner) yield* this.within(file, child);
  }

  private isSent(node: ts.TaggedTemplateExpression): boolean {
    return (
      /^(Pending|Sql|Transaction)/.test(this.typeOf(node)) &&
      (node.typeArguments !== undefined || ts.isAwaitExpression(node.parent))
    );
  }

  private typeOf(node: ts.Expression): string {
    return this.checker.typeToString(this.checker.getTypeAtLocation(node));
  }

  /** Appends a template with its fragments. @returns false if a fragment is made at run time */
  private write(made: Text, template: ts.TemplateLiteral, within: Bindings): boolean {
    if (ts.isNoSubstitutionTemplateLiteral(template)) {
      made.text += template.text;
      return true;
    }
    made.text += template.head.text;
    return template.templateSpans.every(({ expression, literal }) => {
      if (!this.writeValue(made, expression, within)) return false;
      made.text += literal.text;
      return true;
    });
  }

  private writeValue(made: Text, value: ts.Expression, within: Bindings): boolean {
    if (/\b(Fragment|PendingQuery|Helper)\b/.test(this.typeOf(value))) return this.writeFragment(made, value, within);
    made.samples.push(this.sampleOf(value));
    made.text += `$${made.samples.length}`;
    return true;
  }

  private writeFragment(made: Text, node: ts.Node | undefined, within: Bindings): boolean {
    if (!node) return false;
    if (ts.isParenthesizedExpression(node)) return this.writeFragment(made, node.expression, within);
    if (ts.isTaggedTemplateExpression(node)) return this.write(made, node.template, within);
    if (ts.isConditionalExpression(node))
      return this.writeFragment(made, this.way ? node.whenTrue : node.whenFalse, within);
    if (ts.isIdentifier(node)) return this.writeNamed(made, node, within);
    if (ts.isCallExpression(node)) return this.writeCall(made, node, within);
    return false;
  }

  private writeNamed(made: Text, name: ts.Identifier, within: Bindings): boolean {
    const symbol = this.symbolOf(name);
    const bound = symbol && within.get(symbol);
    if (bound) return this.writeFragment(made, bound.value, bound.within);
    const declared = symbol?.valueDeclaration;
    if (declared && (ts.isVariableDeclaration(declared) || ts.isParameter(declared)))
      return this.writeFragment(made, declared.initializer, within);
    return this.writeOfList(made, name);
  }

  private writeCall(made: Text, call: ts.CallExpression, within: Bindings): boolean {
    const [first, , , last] = call.arguments;
    if (first && /^(Sql|Transaction)\b/.test(this.typeOf(call.expression))) return this.writeNames(made, first);
    // The query for one owner, or the one for several: both have the same columns.
    if (last && ts.isArrowFunction(last)) return this.writeFragment(made, last.body, within);
    if (this.writeOfList(made, call.expression)) return true;
    const declared = this.symbolOf(call.expression)?.valueDeclaration;
    const called = declared && ts.isVariableDeclaration(declared) ? declared.initializer : declared;
    if (!called || !(ts.isArrowFunction(called) || ts.isFunctionDeclaration(called))) return false;
    const bindings = new Map(within);
    for (const [n, { name }] of called.parameters.entries()) {
      const symbol = this.checker.getSymbolAtLocation(name);
      const value = call.arguments[n];
      if (symbol && value) bindings.set(symbol, { value, within });
    }
    const { body } = called;
    if (!body || !ts.isBlock(body)) return this.writeFragment(made, body, bindings);
    const returned = body.statements.find(ts.isReturnStatement);
    return this.writeFragment(made, returned?.expression, bindings);
  }

  private writeOfList(made: Text, name: ts.Expression): boolean {
    const text = OF_A_LIST[name.getText()];
    made.text += text ?? '';
    return text !== undefined;
  }

  /** Columns that are given by an array of names. */
  private writeNames(made: Text, names: ts.Expression): boolean {
    const found = this.namesOf(names);
    made.text += found.join(', ');
    return found.length > 0;
  }

  private namesOf(names: ts.Expression): string[] {
    if (ts.isIdentifier(names)) {
      const declared = this.symbolOf(names)?.valueDeclaration;
      return declared && ts.isVariableDeclaration(declared) && declared.initializer
        ? this.namesOf(declared.initializer)
        : [];
    }
    if (ts.isAsExpression(names)) return this.namesOf(names.expression);
    if (!ts.isArrayLiteralExpression(names)) return [];
    return names.elements.flatMap((element) => {
      if (ts.isStringLiteral(element)) return [element.text];
      return ts.isSpreadElement(element) ? this.namesOf(element.expression) : [];
    });
  }

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** The driver sends the types of these; PostgreSQL derives the types of all others. */
  private sampleOf(value: ts.Expression): Sample {
    const type = this.checker.getTypeAtLocation(value);
    const kinds = this.kindsOf(type);
    if (kinds.includes('Date')) return new Date(0);
    if (isOf(type, ts.TypeFlags.BooleanLike)) return true;
    if (kinds.includes('Buffer')) return Buffer.alloc(0);
    if (kinds.includes('array')) return [];
    return null;
  }

  /** Of `Row[]`: the fields of Row. */
  private fieldsOf(rows: ts.TypeNode): ReadonlyMap<string, readonly string[]> {
    const row = this.checker.getIndexTypeOfType(this.checker.getTypeFromTypeNode(rows), ts.IndexKind.Number);
    if (!row) throw new Error(`${rows.getText()} is no array of rows`);
    const members = row.isUnion() ? row.types : [row];
    const fields = new Map<string, string[]>();
    for (const property of members.flatMap((member) => this.checker.getPropertiesOfType(member))) {
      const kinds = this.kindsOf(this.checker.getTypeOfSymbolAtLocation(property, rows));
      fields.set(property.name, [...new Set([...(fields.get(property.name) ?? []), ...kinds])]);
    }
    return fields;
  }

  private kindsOf(type: ts.Type): string[] {
    if (type.isUnion()) return [...new Set(type.types.flatMap((one) => this.kindsOf(one)))];
    if (type.flags & ts.TypeFlags.StringLike) return ['string'];
    if (type.flags & ts.TypeFlags.NumberLike) return ['number'];
    if (type.flags & ts.TypeFlags.BooleanLike) return ['boolean'];
    if (type.flags & ts.TypeFlags.BigIntLike) return ['bigint'];
    if (type.flags & ts.TypeFlags.Null) return ['null'];
    if (type.flags & ts.TypeFlags.Never) return [];
    if (this.checker.isArrayLikeType(type)) return ['array'];
    const name = type.symbol as ts.Symbol | undefined;
    if (name && /^(Date|Buffer|Decimal|Uint8Array)$/.test(name.name)) return [name.name];
    return ['json'];
  }
}

/** All statements that the modules of db/ send by a tagged template. */
export function readStatements(): Statement[] {
  const files = ts.sys.readDirectory(path.join(ROOT, 'db'), ['.ts'], ['**/schema/**']);
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return [...new Reader(ts.createProgram(files, { ...options, types: ['node'] })).statements()];
}
