// Whether these checks notice a COPY that is missing: for each source of each COPY, the Dockerfile without it, and with it under
// another name, must fail. Steps before it are performed once for all.
import { readDockerfile } from './dockerfile.mjs';

const CAUSE = /unresolved|cannot|could not|not found|no such|npm error code|lacks|failed|Error:/i;

/** The line of a failure that says most. */
function causeOf({ message }) {
  const lines = message.split('\n').map((line) => line.trim());
  const [step] = lines;
  const cause = lines.slice(1).find((line) => CAUSE.test(line));
  return [step, cause].filter(Boolean).join(' | ').slice(0, 300);
}

/** Each Dockerfile that must fail, with what was done to it. */
function trialsOf(text) {
  const rows = text.split('\n');
  const copies = readDockerfile(text).flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'COPY'));
  return copies.flatMap((copy) =>
    copy.sources.flatMap((source) => {
      const changed = (sources) => {
        const flags = copy.text.split(/\s+/).filter((word) => word.startsWith('--'));
        const line = sources.length === 0 ? '' : ['COPY', ...flags, ...sources, copy.to].join(' ');
        return rows.with(copy.line - 1, line).join('\n');
      };
      return [
        {
          what: `line ${copy.line}, ${source} under another name`,
          text: changed(copy.sources.map((one) => (one === source ? `${one}-renamed` : one))),
        },
        {
          what: `line ${copy.line}, without ${source}`,
          text: changed(copy.sources.filter((one) => one !== source)),
        },
      ];
    }),
  );
}

/**
 * @param check makes an image of the text and starts it; must fail
 * @throws with each change that was not noticed
 */
export async function checkTrials(text, check, say) {
  const trials = trialsOf(text);
  const unnoticed = [];
  for (const trial of trials) {
    const failure = await check(trial.text).then(
      () => null,
      (error) => error,
    );
    if (failure === null) unnoticed.push(trial.what);
    say(`${trial.what}: ${failure === null ? 'NOT noticed' : causeOf(failure)}`);
  }
  if (unnoticed.length > 0) throw new Error(`not noticed: ${unnoticed.join('; ')}`);
  say(`each of ${trials.length} changes of a COPY is noticed`);
}
