import { Worker } from 'node:worker_threads';
import { RE2JS } from 're2js';
import { invalidField } from '../domain/errors';
import { type Fit, fitOf } from './fit';
import { expressionOf, requireSteps, TooCostly } from './re2';
import { formsOf, groupsOfPattern, type TextPattern } from './text-pattern';
import { plainSpaces } from './text';

/** How long a trial may take. The thread itself needs some tens of milliseconds to start. */
const DEADLINE_MS = 2_000;

/** The thread runs this, so that no pattern delays anybody else. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { RE2JS } = require(workerData.re2js);
  const known = new Map();
  const compile = (source) => {
    if (!known.has(source)) known.set(source, RE2JS.compile(source, workerData.flags));
    return known.get(source);
  };
  const fitOf = ${fitOf.toString()};
  parentPort.postMessage(workerData.texts.map((text) => fitOf(compile, workerData.pattern, text)));
`;

/** One at a time, so that a caller occupies one core at most. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Fits a pattern to samples in a thread of its own, which ends with the deadline.
 * @returns what readText takes as `fit`
 * @throws INVALID_FIELD for a pattern that is too large, or too slow for the samples
 */
export async function tryPattern(
  pattern: TextPattern,
  samples: readonly string[],
): Promise<(pattern: string, form: string) => Fit> {
  groupsOfPattern(pattern);
  const begun = last.then(async () => await fitsInThread(pattern, samples));
  last = begun.catch(() => undefined);
  return await begun;
}

async function fitsInThread(
  pattern: TextPattern,
  samples: readonly string[],
): Promise<(pattern: string, form: string) => Fit> {
  const texts = [...new Set(samples.flatMap((sample) => formsOf(sample)))];
  requireBudget(plainSpaces(pattern.pattern), texts);
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: {
      re2js: require.resolve('re2js'),
      flags: RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE,
      pattern: plainSpaces(pattern.pattern),
      texts,
    },
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const fits = await new Promise<readonly Fit[]>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(invalidField('pattern', 'takes too long to read the samples', 'OUT_OF_RANGE'));
      }, DEADLINE_MS);
      worker.once('message', resolve);
      worker.once('error', ({ message }) => {
        reject(invalidField('pattern', `cannot be tried: ${message}`));
      });
    });
    const byText = new Map(texts.map((text, n) => [text, fits[n]]));
    return (_pattern, form) => byText.get(form) ?? { kind: 'NONE' };
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

/** A pattern in force leaves a text unread that is too long for it; a trial says so. */
function requireBudget(pattern: string, texts: readonly string[]): void {
  const expression = expressionOf(pattern);
  for (const text of texts) {
    try {
      requireSteps(expression, text);
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
      throw invalidField('pattern', error.message, 'OUT_OF_RANGE');
    }
  }
}
