// Performs the steps of a Dockerfile without a container engine: each makes a layer over those before it (overlayfs), and runs
// in a mount namespace that has the layers and, of this machine, only its programs.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** Lines of a failed step that are quoted. */
const QUOTED_LINES = 25;
/** What the images of Node.js have beside root. */
const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n';
const GROUP = 'root:x:0:\nnode:x:1000:\n';
/** How npm reaches its registry here: an engine passes these, too, or has them in its settings. */
const NETWORK = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file|npm_config_registry)$/i;

export const quote = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;
const node = realpathSync(process.execPath);
const nodePrefix = path.dirname(path.dirname(node));
const PATH = [path.dirname(node), '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];

/** Lines that put this machine's programs into the root in the current folder, for reading. */
export const MACHINE = [
  'for place in /usr /lib /lib64 /bin /sbin /etc; do',
  '  if [ -L "$place" ]; then [ -L ".$place" ] || cp -P "$place" ".$place"',
  '  elif [ -d "$place" ]; then mkdir -p ".$place"; mount --rbind "$place" ".$place"; mount -o remount,ro,bind ".$place"; fi',
  'done',
  'mkdir -p proc dev tmp',
  'mount --rbind /proc proc',
  'mount --rbind /dev dev',
  ...(nodePrefix.startsWith('/usr')
    ? []
    : [
        `mkdir -p ${quote(`.${nodePrefix}`)}`,
        `mount --bind ${quote(nodePrefix)} ${quote(`.${nodePrefix}`)}`,
        `mount -o remount,ro,bind ${quote(`.${nodePrefix}`)}`,
      ]),
];

/** Whether this machine lets us mount one folder over another. @returns the reason if not */
export function whyNot(folder) {
  if (process.getuid?.() !== 0) return 'it takes root';
  const at = path.join(folder, 'probe');
  for (const name of ['below', 'above', 'work', 'into']) mkdirSync(path.join(at, name), { recursive: true });
  const mount = `cd ${quote(at)} && mount -t overlay overlay -o lowerdir=below,upperdir=above,workdir=work into`;
  try {
    execFileSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', mount], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return null;
  } catch (error) {
    return String(error.stderr ?? error.message).trim();
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

const digest = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
};

/** The names, modes and bytes below a path. */
function contentOf(place) {
  const { mode } = statSync(place);
  if (!statSync(place).isDirectory()) return digest(String(mode), readFileSync(place));
  const entries = readdirSync(place).sort();
  return digest(String(mode), ...entries.flatMap((name) => [name, contentOf(path.join(place, name))]));
}

/** The layers of one folder. A step that was performed before, on equal layers, is not performed again. */
export class Layers {
  #folder;
  #context;
  #env;

  /** @param context the folder that COPY takes files from */
  constructor(folder, context) {
    this.#folder = folder;
    this.#context = context;
    mkdirSync(path.join(folder, 'into'), { recursive: true });
    mkdirSync(path.join(folder, 'other'), { recursive: true });
    this.#makeBase();
    const registry = execFileSync('npm', ['config', 'get', 'registry'], {
      encoding: 'utf8',
    }).trim();
    const passed = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
    this.#env = { NO_COLOR: '1', npm_config_registry: registry, ...Object.fromEntries(passed) };
  }

  /** Of the image that the stages begin with: its two users and its folders. */
  #makeBase() {
    const base = path.join(this.#folder, 'base');
    for (const place of ['root', 'home/node', 'tmp', 'var', 'run', 'proc', 'dev'])
      mkdirSync(path.join(base, place), { recursive: true });
    writeFileSync(path.join(this.#folder, 'passwd'), PASSWD);
    writeFileSync(path.join(this.#folder, 'group'), GROUP);
  }

  /** The user's number and group. */
  static #numbersOf(user) {
    const [name, group] = user.split(':');
    const known = { root: '0', node: '1000' };
    const number = (one) => (/^\d+$/.test(one) ? one : known[one]);
    const uid = number(name);
    const gid = number(group ?? name) ?? uid;
    if (uid === undefined) throw new Error(`the image has no user ${user}`);
    return [uid, gid];
  }

  /** A mount of the layers, the newest first, at a folder of ours. */
  mountLine(layers, into, above = null) {
    const places = [...layers].reverse().map((layer) => (layer === 'base' ? layer : `${layer}/files`));
    // A mount of overlayfs for reading alone has two folders or more.
    const below = places.length === 1 && above === null ? [...places, 'other'] : places;
    const written = above === null ? '' : `,upperdir=${above}/files,workdir=${above}/work`;
    return `cd ${quote(this.#folder)} && mount -t overlay overlay -o ${quote(`lowerdir=${below.join(':')}${written}`)} ${quote(into)}`;
  }

  /** The steps of one stage. @param others the layers of the stages before it, by name */
  async perform(steps, others, say) {
    const layers = ['base'];
    for (const step of steps) {
      const { text, env, args, user, workdir, line } = step;
      const sources = this.#contentOf(step, others);
      const key = digest(layers.join(), step.kind, text, JSON.stringify([env, args, user, workdir]), sources);
      if (!existsSync(path.join(this.#folder, key))) {
        const began = performance.now();
        await this.#make(key, layers, step, others).catch((error) => {
          throw new Error(`Dockerfile:${line}: ${text}: ${error.message}`);
        });
        const seconds = (performance.now() - began) / 1000;
        if (step.kind === 'RUN') say(`RUN ${text.replace(/^\S+\s+/, '')}: ${seconds.toFixed(1)} s`);
      }
      layers.push(key);
    }
    return layers;
  }

  #contentOf(step, others) {
    if (step.kind !== 'COPY') return '';
    if (step.stage !== null) return others[step.stage].join();
    return step.sources
      .map((source) => {
        const place = path.join(this.#context, source);
        if (!existsSync(place)) throw new Error(`Dockerfile:${step.line}: ${step.text}: the project has no ${source}`);
        return contentOf(place);
      })
      .join();
  }

  async #make(key, layers, step, others) {
    const own = `${key}.tmp`;
    rmSync(path.join(this.#folder, own), { recursive: true, force: true });
    for (const name of ['files', 'work']) mkdirSync(path.join(this.#folder, own, name), { recursive: true });
    const lines = ['set -eu', this.mountLine(layers, 'into', own)];
    if (step.kind === 'COPY') lines.push(...this.#copyLines(step, others));
    else if (step.kind === 'WORKDIR') lines.push(`mkdir -p ${quote(`into${step.workdir}`)}`);
    else lines.push(...this.#runLines(step));
    const script = path.join(this.#folder, own, 'step.sh');
    writeFileSync(script, `${lines.join('\n')}\n`);
    await runStep(script, {
      ...this.#env,
      ...step.args,
      PATH: PATH.join(':'),
      HOME: '/root',
      ...step.env,
    });
    renameSync(path.join(this.#folder, own), path.join(this.#folder, key));
  }

  #copyLines({ sources, to, stage, owner, workdir }, others) {
    const lines = [];
    let from = this.#context;
    if (stage !== null) {
      lines.push(this.mountLine(others[stage], 'other'));
      from = path.join(this.#folder, 'other');
    }
    const place = path.join(this.#folder, 'into', to.startsWith('/') ? '' : workdir, to);
    // Into a folder that is written so, or that is there; a folder's files, not the folder.
    lines.push(`to=${quote(place)}; folder=${to.endsWith('/') || to === '.' || sources.length > 1 ? 'y' : ''}`);
    lines.push('[ ! -d "$to" ] || folder=y');
    const chown = owner === null ? '0:0' : Layers.#numbersOf(owner).join(':');
    for (const source of sources) {
      const at = path.join(from, source);
      lines.push(
        `from=${quote(at)}`,
        `[ -e "$from" ] || { echo "there is no ${source}" >&2; exit 1; }`,
        'copy() { cp -a --no-preserve=ownership "$@"; }',
        'if [ -d "$from" ]; then mkdir -p "$to"; copy "$from/." "$to/"',
        'elif [ -n "$folder" ]; then mkdir -p "$to"; copy "$from" "$to/"',
        'else mkdir -p "$(dirname "$to")"; copy "$from" "$to"; fi',
      );
    }
    if (chown !== '0:0') lines.push(`chown -R ${chown} "$to"`);
    return lines;
  }

  #runLines({ command, user, workdir }) {
    const [uid, gid] = Layers.#numbersOf(user);
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
    mkdirSync(cache, { recursive: true });
    const as = ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups'];
    const inside = `cd ${quote(workdir)} && exec ${[...as, ...command].map(quote).join(' ')}`;
    return [
      'cd into',
      ...MACHINE,
      'mount -t tmpfs none tmp',
      // What npm has fetched before; nothing else of this machine's user.
      `mkdir -p root/.npm && mount --bind ${quote(cache)} root/.npm`,
      ...['passwd', 'group'].map((file) => `mount --bind ../${file} etc/${file}`),
      `exec chroot . /bin/sh -c ${quote(inside)}`,
    ];
  }
}

/** @throws with the end of what it printed */
async function runStep(script, env) {
  const child = spawn('unshare', ['--mount', '--propagation', 'private', '/bin/sh', script], {
    ...{ env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = (output + text).slice(-100_000)));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
  if (code === 0) return;
  const end = output.trim().split('\n').slice(-QUOTED_LINES).join('\n');
  throw new Error(`ended with ${code}\n${end}`);
}
