// Starts a container of a manifest without a container runtime: its command, environment, files, user, capabilities and
// read-only root, in a mount namespace that holds what the image holds (image.mjs). Only ports differ, because all pods share
// this machine.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quote } from './layers.mjs';
/** The mounts: the image's files, the machine's programs, the pod's volumes; then nothing of it can be written. */
function namespace(folder, image, mounts) {
  const into = path.join(folder, 'root');
  const above = path.join(folder, 'above');
  mkdirSync(above);
  const lines = ['set -eu', ...image.mountLines(above, into)];
  const bind = (from, to, readOnly) => {
    const isFile = existsSync(from) && !readFileSyncIsFolder(from);
    lines.push(`mkdir -p ${quote(path.dirname(`.${to}`))}`);
    lines.push(isFile ? `touch ${quote(`.${to}`)}` : `mkdir -p ${quote(`.${to}`)}`);
    lines.push(`mount --bind ${quote(from)} ${quote(`.${to}`)}`);
    if (readOnly) lines.push(`mount -o remount,ro,bind ${quote(`.${to}`)}`);
  };
  for (const { from, to, readOnly } of mounts) bind(from, to, readOnly);
  lines.push('mount -o remount,ro .');
  return { into, lines };
}

const readFileSyncIsFolder = (file) => {
  try {
    readFileSync(file);
    return false;
  } catch (error) {
    return error.code === 'EISDIR';
  }
};

/** What a manifest must ask for, so that it can be started this way. */
function judge(name, pod, container) {
  const { securityContext: own = {} } = container;
  const faults = [
    [pod.securityContext?.runAsNonRoot === true, 'runAsNonRoot'],
    [pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'a seccomp profile'],
    [pod.automountServiceAccountToken === false, 'no token of Kubernetes'],
    [own.readOnlyRootFilesystem === true, 'a read-only root'],
    [own.allowPrivilegeEscalation === false, 'no escalation'],
    [own.capabilities?.drop?.includes('ALL'), 'no capabilities'],
    [container.resources?.limits?.memory !== undefined, 'a limit of memory'],
  ].filter(([isGiven]) => !isGiven);
  if (faults.length > 0) throw new Error(`${name}: lacks ${faults.map(([, what]) => what).join(', ')}`);
}

/**
 * Starts the first container of a pod.
 * @param image as image.mjs makes it
 * @param configMaps the data of each, by name
 * @param secretFolders a folder with the files of each Secret, by name
 * @param volumes a folder for each claim, by name
 * @param ports the ports to use here, by the setting that names one
 */
export function startPod(name, pod, { folder, image, configMaps, secretFolders, volumes, ports }) {
  const [container] = pod.containers;
  judge(name, pod, container);
  const { runAsUser: uid, runAsGroup: gid } = pod.securityContext;
  if (`${uid}:${gid}` !== image.user) throw new Error(`${name}: not the image's user ${image.user}`);
  const env = {
    PATH: process.env.PATH,
    ...image.env,
    ...Object.assign({}, ...(container.envFrom ?? []).map((of) => configMaps[of.configMapRef.name])),
    ...Object.fromEntries((container.env ?? []).map(({ name: of, value }) => [of, value])),
  };
  for (const [setting, port] of Object.entries(ports)) if (env[setting]) env[setting] = String(port);
  const mounts = container.volumeMounts.map(({ name: volume, mountPath, readOnly = false }) => {
    const { secret, persistentVolumeClaim } = pod.volumes.find((one) => one.name === volume);
    const from = secret ? secretFolders[secret.secretName] : volumes[persistentVolumeClaim.claimName];
    if (from === undefined) throw new Error(`${name}: nothing for the volume ${volume}`);
    return { from, to: mountPath, readOnly };
  });
  const place = path.join(folder, name);
  mkdirSync(path.join(place, 'root'), { recursive: true });
  const log = path.join(place, 'log');
  const output = openSync(log, 'a');
  const args = [...(container.command ?? image.entrypoint), ...(container.args ?? image.cmd)];
  const [program, ...rest] = args[0] === 'node' ? [realpathSync(process.execPath), ...args.slice(1)] : args;
  const { into, lines } = namespace(place, image, mounts);
  const user = ['--reuid', uid, '--regid', gid, '--clear-groups', '--no-new-privs'];
  const none = ['--inh-caps=-all', '--bounding-set=-all'];
  const inside = ['setpriv', ...user, ...none, program, ...rest];
  const start = `cd ${quote(image.workdir)} && exec ${inside.map(quote).join(' ')}`;
  lines.push(`exec chroot ${quote(into)} /bin/sh -c ${quote(start)}`);
  const script = path.join(place, 'start.sh');
  writeFileSync(script, `${lines.join('\n')}\n`);
  const command = ['unshare', '--mount', '--propagation', 'private', '/bin/sh', script];
  const child = spawn(command[0], command.slice(1), {
    ...{ cwd: '/', env, detached: true },
    stdio: ['ignore', output, output],
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  return {
    ...{ name, pod, container, env, ended, pid: child.pid },
    kill: (signal) => {
      try {
        process.kill(child.pid, signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    },
    output: () => readFileSync(log, 'utf8'),
  };
}

/** What the running process really is: its user, its capabilities, and whether its root can be written. */
export function confinementOf({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (field) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  const [rootMount] = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields[4] === '/');
  return {
    user: of('Uid'),
    effective: of('CapEff'),
    bounding: of('CapBnd'),
    noNewPrivileges: of('NoNewPrivs') === '1',
    readOnlyRoot: rootMount?.[5].split(',').includes('ro') ?? false,
  };
}
