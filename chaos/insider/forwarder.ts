import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { freePort } from '../../local/ports';
import { until, untilNone } from '../until';

const PROGRAM = path.join(__dirname, '../../../local/forwarder.mjs');
/** It listens, and has sent what waited, within this; milliseconds. */
const READY_MS = 60_000;

/** What a page in the browser or another app can send to a port of the telephone: everything but the token. */
const WAYS_OF_APPS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'content-type': 'text/plain' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { host: 'evil.example' },
  { 'x-forwarder-token': 'guessed' },
];

/** The forwarder as it is shipped, enrolled by its link, with what posts to it. */
export class Forwarder {
  /** Posts of apps that it refused. */
  refused = 0;
  private turn = 0;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly running: ChildProcess,
  ) {}

  /**
   * Enrols by the link of the mail and starts.
   * @param folder its queue, key and token
   */
  static async start(folder: string, gateway: string, link: string): Promise<Forwarder> {
    const own = { PATH: process.env['PATH'], QUEUE: folder, GATEWAY: gateway, BEAT_MS: '1000' };
    const enrolment = spawn(process.execPath, [PROGRAM, 'enrol', link], { env: own });
    const [code] = (await once(enrolment, 'exit')) as [number | null];
    if (code !== 0) throw new Error('the forwarder could not enrol');
    const port = await freePort();
    const env = { ...own, PORT: String(port) };
    const running = spawn(process.execPath, [PROGRAM], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forwarder = new Forwarder(folder, port, running);
    const listens = async (): Promise<boolean> =>
      await forwarder.post('{}', {}).then(
        () => true,
        () => false,
      );
    if (!(await until(listens, READY_MS))) throw new Error('the forwarder does not listen');
    return forwarder;
  }

  /** The device's identifier. */
  get deviceId(): string {
    return readFileSync(path.join(this.folder, 'device-id'), 'utf8').trim();
  }

  /** A message comes to the telephone, under any sender's name. @throws if it is not taken */
  async gets(sender: string, text: string): Promise<void> {
    const token = readFileSync(path.join(this.folder, 'post-token'), 'utf8').trim();
    const status = await this.post(JSON.stringify({ sender, text }), {
      'x-forwarder-token': token,
    });
    if (status !== 202) throw new Error(`the forwarder answered ${status}`);
  }

  /** An app on the telephone wants a message of its own signed. */
  async isTold(sender: string, text: string): Promise<void> {
    const way = WAYS_OF_APPS[this.turn++ % WAYS_OF_APPS.length] ?? {};
    const status = await this.post(JSON.stringify({ sender, text }), way);
    if (status !== 202) this.refused++;
  }

  /** Waits until the platform has every message, or takes none for a while. */
  async isDone(): Promise<void> {
    const waiting = (): number => readdirSync(this.folder).filter((file) => /^\d.*\.json/.test(file)).length;
    await untilNone(() => Promise.resolve(waiting()), READY_MS);
  }

  async stop(): Promise<void> {
    const gone = once(this.running, 'exit');
    this.running.kill();
    await gone;
  }

  private async post(body: string, headers: Readonly<Record<string, string>>): Promise<number> {
    return await new Promise((resolve, reject) => {
      const sending = request(
        {
          host: '127.0.0.1',
          port: this.port,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      sending.on('error', reject).end(body);
    });
  }
}
