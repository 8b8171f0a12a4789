import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';
import { threadId } from 'node:worker_threads';

/*
 * Required before a process of the testbed (`--profile`): samples its CPU from the first line to its end and writes
 * what every tool for V8's profiles reads. `node --cpu-prof` would do, but cannot be set by the environment.
 */

const SAMPLE_EVERY_MICROSECONDS = 500;

const folder = process.env['BENCH_PROFILES'] ?? '.';
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MICROSECONDS });
session.post('Profiler.start');

process.on('exit', () => {
  session.post('Profiler.stop', (error, result) => {
    if (error) throw error;
    mkdirSync(folder, { recursive: true });
    const program = path.basename(path.dirname(process.argv[1] ?? ''));
    const name = `${program}-${process.argv[2] ?? 'main'}-${process.pid}-${threadId}.cpuprofile`;
    writeFileSync(path.join(folder, name), JSON.stringify(result.profile));
  });
});
