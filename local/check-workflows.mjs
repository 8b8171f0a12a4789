// `npm run check:workflows`: no change of the workflows' code without a decision on open orders (docs/changing-a-workflow.md).
// For each workflow type, a hash of each file that it loads, without types, comments and format, lies beside the recorded
// histories. If one differs, the type needs one of these:
//   npm run replay:record -- -t NAME             records its new paths, and stores the hashes of the recorded types
//   npm run check:workflows -- --same 'REASON'   the commands are as before, and why; stores the hashes of all types
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const KEPT = 'test/replay/workflows.json';
const INDEX = 'workflows/index.ts';
/** The bundle names it; it runs in every workflow. */
const INTERCEPTORS = 'workflows/trace.ts';

/** The code of a file that runs: without types, comments, format and imports of types. */
function whatRuns(file) {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: {
      ...{ removeComments: true, verbatimModuleSyntax: true },
      ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
    },
  });
  return outputText;
}

function hashOf(code) {
  const compact = code.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]}])/g, '');
  return createHash('sha256').update(compact).digest('hex').slice(0, 16);
}

/** The file of ours that another one imports by this name. */
function resolve(from, name) {
  const target = path.posix.join(path.posix.dirname(from), name);
  return existsSync(`${target}.ts`) ? `${target}.ts` : `${target}/index.ts`;
}

/** Each file that these load, themselves included, with the hash of its code. */
function hashes(entries) {
  const found = {};
  const waiting = [...entries];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (file in found) continue;
    const code = whatRuns(file);
    found[file] = hashOf(code);
    for (const { fileName } of ts.preProcessFile(code).importedFiles)
      if (fileName.startsWith('.')) waiting.push(resolve(file, fileName));
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Each workflow type of the bundle, with the files that it loads. */
function types() {
  const found = {};
  const index = ts.createSourceFile(INDEX, whatRuns(INDEX), ts.ScriptTarget.ESNext);
  for (const statement of index.statements) {
    const { exportClause, moduleSpecifier } = statement;
    // Other code would run in every workflow, and belong to none.
    if (!ts.isExportDeclaration(statement) || !moduleSpecifier || !exportClause?.elements)
      throw new Error(`${INDEX} may only name workflows: export { workflow } from './file'`);
    const files = hashes([resolve(INDEX, moduleSpecifier.text), INTERCEPTORS]);
    for (const { name } of exportClause.elements) found[name.text] = files;
  }
  return found;
}

/** The workflow type of a recorded history. */
const typeOf = (history) =>
  JSON.parse(readFileSync(history, 'utf8')).events[0].workflowExecutionStartedEventAttributes.workflowType.name;

const now = types();
const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {};
/** The files by which a type differs from what is stored. */
const changesOf = (type) => {
  const [is, was] = [now[type] ?? {}, kept[type]?.files ?? {}];
  return Object.keys({ ...is, ...was }).filter((file) => is[file] !== was[file]);
};
const changed = Object.keys({ ...now, ...kept }).filter((type) => changesOf(type).length > 0);

/** Stores the code of these types as it is, and why that is right. */
function keep(accepted, because) {
  for (const type of accepted) {
    if (type in now) kept[type] = { because, files: now[type] };
    else delete kept[type];
  }
  const sorted = Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  console.log(`written to ${KEPT}: ${accepted.join(', ')}: ${because}`);
}

const [option, ...rest] = process.argv.slice(2);
if (option === '--recorded') {
  for (const type of new Set(rest.map(typeOf))) {
    const names = rest.filter((file) => typeOf(file) === type);
    keep([type], `recorded: ${names.map((file) => path.basename(file, '.json')).join(', ')}`);
  }
} else if (option === '--same' && rest.join('').trim() !== '') {
  if (changed.length > 0) keep(changed, `the same commands: ${rest.join(' ')}`);
} else if (option !== undefined) {
  console.error("npm run check:workflows -- --same 'REASON': say why the commands are as before");
  process.exitCode = 1;
} else if (changed.length > 0) {
  console.error(`The code of these workflows is not that of their recorded histories:
${changed.map((type) => `  ${type}: ${changesOf(type).join(', ')}`).join('\n')}
Read docs/changing-a-workflow.md. Then record the paths of each that changed: npm run replay:record -- -t NAME
If the commands are as before, or no order of a removed type is open, say why: npm run check:workflows -- --same 'REASON'`);
  process.exitCode = 1;
}
