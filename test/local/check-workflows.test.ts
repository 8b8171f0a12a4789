import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';

const SCRIPT = path.join(__dirname, '../../local/check-workflows.mjs');
const KEPT = 'test/replay/workflows.json';

describe('npm run check:workflows', () => {
  const folder = temporaryFolder();
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const check = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
      ...({ cwd: folder, encoding: 'utf8' } as const),
    });
    return { passes: status === 0, says: stderr };
  };
  /** A recorded history of a workflow type. @returns its file */
  const recorded = (type: string, name: string): string => {
    const start = { workflowExecutionStartedEventAttributes: { workflowType: { name: type } } };
    put(`histories/${name}.json`, JSON.stringify({ events: [start] }));
    return `histories/${name}.json`;
  };
  const becauseOf = (type: string): string => {
    const file = path.join(folder, KEPT);
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { because: string }>;
    return kept[type]?.because ?? 'nothing';
  };

  /** What is stored of the first code. */
  const begin = (): string => {
    mkdirSync(path.join(folder, 'test/replay'), { recursive: true });
    check('--same', 'as it began');
    return readFileSync(path.join(folder, KEPT), 'utf8');
  };
  let begun: string | undefined;

  beforeEach(() => {
    put('workflows/trace.ts', 'export const trace = 1;');
    put('workflows/steps.ts', "import { days } from '../domain/days';\nexport const steps = days;");
    put('domain/days.ts', 'export const days = 1;');
    put('workflows/mail.ts', 'export const mail = 1;');
    put('workflows/payout.ts', "import { steps } from './steps';\nexport const payout = steps;");
    put('workflows/index.ts', "export { mail } from './mail';\nexport { payout } from './payout';");
    put(KEPT, (begun ??= begin()));
  });

  it('accepts code as it was recorded, with other types, comments and format', () => {
    expect(check()).toEqual({ passes: true, says: '' });
    put('workflows/mail.ts', '/** A mail. */\nexport const   mail: number = 1;\n');
    expect(check().passes).toBe(true);
  });

  it('accepts a changed workflow after a recording of it, and not of another one', () => {
    put('workflows/payout.ts', 'export const payout = 2;');
    expect(check('--recorded', recorded('mail', 'mail-sent')).passes).toBe(true);
    expect(check().says).toContain('payout: ');
    check('--recorded', recorded('payout', 'paid'), recorded('payout', 'refused'));
    expect(check().passes).toBe(true);
    expect(becauseOf('payout')).toBe('recorded: paid, refused');
    expect(becauseOf('mail')).toBe('recorded: mail-sent');
  });

  it('wants a recording of each workflow that loads a changed file, at whatever depth', () => {
    put('domain/days.ts', 'export const days = 2;');
    put('workflows/trace.ts', 'export const trace = 2;');
    const { says } = check();
    expect(says).toContain('mail: workflows/trace.ts\n');
    expect(says).toContain('payout: domain/days.ts, workflows/trace.ts\n');
    check('--recorded', recorded('payout', 'paid'));
    expect(check().says).toContain('mail: workflows/trace.ts\n');
    check('--recorded', recorded('mail', 'mail-sent'));
    expect(check().passes).toBe(true);
  });

  it('sees a file that is imported for its effect only', () => {
    put('workflows/mail.ts', "import './effect';\nexport const mail = 1;");
    put('workflows/effect.ts', 'globalThis.effect = 1;');
    check('--recorded', recorded('mail', 'mail-sent'));
    put('workflows/effect.ts', 'globalThis.effect = 2;');
    expect(check().says).toContain('mail: workflows/effect.ts\n');
  });

  it('wants a recording of a new workflow, and a reason for the end of one', () => {
    put('workflows/index.ts', "export { mail } from './mail';\nexport { steps } from './steps';");
    const { says } = check();
    expect(says).toContain('steps: ');
    expect(says).toContain('payout: ');
    check('--recorded', recorded('steps', 'steps'));
    expect(check().passes).toBe(false);
    expect(check('--same', ' ').passes).toBe(false);
    check('--same', 'none is open');
    expect(check().passes).toBe(true);
    expect([becauseOf('steps'), becauseOf('payout')]).toEqual(['recorded: steps', 'nothing']);
  });

  it('writes the reason down beside the workflows that it is given for', () => {
    put('workflows/mail.ts', 'export const mail = 2;');
    expect(check('--same', 'only the details').passes).toBe(true);
    expect(becauseOf('mail')).toBe('the same commands: only the details');
    expect(becauseOf('payout')).toBe('the same commands: as it began');
  });

  it('refuses code beside the names of the workflows', () => {
    put('workflows/index.ts', "export * from './mail';");
    expect(check().says).toContain('may only name');
  });
});
