// `npm run check:workflows`: no change of the workflows' code without a decision on open orders (docs/changing-a-workflow.md).
// A hash of the code, without types, comments and format, lies beside the recorded histories. If it differs:
//   npm run replay:record -- -t NAME             records the new paths, and stores the hash
//   npm run check:workflows -- --same 'REASON'   the commands are as before, and why; stores the hash
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const KEPT = path.join(root, 'test/replay/workflows.json');
const ENTRIES = ['workflows/index.ts', 'workflows/trace.ts'];

/** The code of a file that runs: without types, comments, format and imports of types. */
function whatRuns(file) {
  const { outputText } = ts.transpileModule(readFileSync(path.join(root, file), 'utf8'), {
    compilerOptions: {
      ...{ removeComments: true, verbatimModuleSyntax: true },
      ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
    },
  });
  return outputText;
}

/** Each file of ours in the bundle, with the hash of its code. */
function hashes() {
  const found = {};
  const waiting = [...ENTRIES];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (file in found) continue;
    const text = whatRuns(file);
    const compact = text.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]}])/g, '');
    found[file] = createHash('sha256').update(compact).digest('hex').slice(0, 16);
    for (const [, name] of text.matchAll(/\bfrom\s+['"](\.[^'"]+)['"]/g)) {
      const target = path.posix.join(path.posix.dirname(file), name);
      waiting.push(
        existsSync(path.join(root, `${target}.ts`)) ? `${target}.ts` : `${target}/index.ts`,
      );
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const now = hashes();
const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : { files: {}, because: '' };
const changed = [...new Set([...Object.keys(now), ...Object.keys(kept.files)])].filter(
  (file) => now[file] !== kept.files[file],
);
const keep = (because) => {
  writeFileSync(KEPT, `${JSON.stringify({ because, files: now }, null, 2)}\n`);
  console.log(`written to ${path.relative(root, KEPT)}: ${because}`);
};

const [option, reason = ''] = process.argv.slice(2);
if (option === '--recorded') keep(`recorded: ${reason}`);
else if (option === '--same' && reason.trim() !== '') keep(`the same commands: ${reason}`);
else if (option !== undefined) {
  console.error("npm run check:workflows -- --same 'REASON': say why the commands are as before");
  process.exitCode = 1;
} else if (changed.length > 0) {
  console.error(`The workflows' code is not that of the recorded histories:
${changed.map((file) => `  ${file}`).join('\n')}
Read docs/changing-a-workflow.md. Then record the paths that changed: npm run replay:record -- -t NAME
If the commands are as before, say why: npm run check:workflows -- --same 'REASON'`);
  process.exitCode = 1;
}
