// `npm run pin:images`: asks the registries for the digests of the tags in deploy/images.env and writes them there.
// `npm run check:pinned`: fails unless every image there has a digest, and every image of the production Compose file and
// of the Dockerfile comes from there. A release runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [purpose, folder = path.join(root, 'deploy')] = process.argv.slice(2);
const file = path.join(folder, 'images.env');
const INDEXES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const ANSWER_WITHIN_MS = 20_000;

const LINE = /^([A-Z_]+)=([^\s@]+:[^\s@:]+?)(?:@(sha256:[0-9a-f]{64}))?$/;
const images = (text) =>
  text
    .split('\n')
    .map((line) => LINE.exec(line))
    .filter((line) => line !== null)
    .map(([line, name, tag, digest]) => ({ line, name, tag, digest }));

/** Where an image's name leads: without a registry's address it is Docker Hub's. */
function placeOf(tag) {
  const at = tag.lastIndexOf(':');
  const parts = tag.slice(0, at).split('/');
  const own = parts.length > 1 && /[.:]|^localhost$/.test(parts[0]) ? parts.shift() : null;
  const name = parts.join('/');
  // For a registry that is not on the public internet, or stands in for Docker Hub.
  const hub = process.env.REGISTRY_MIRROR ?? 'https://registry-1.docker.io';
  return {
    registry: own === null ? hub : `https://${own}`,
    name: own === null && parts.length === 1 ? `library/${name}` : name,
    version: tag.slice(at + 1),
  };
}

/** A token for reading, where the registry's refusal says who gives one. */
async function tokenFor(refusal) {
  const asked = refusal.headers.get('www-authenticate') ?? '';
  const { realm, ...query } = Object.fromEntries(
    [...asked.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  if (realm === undefined) throw new Error(`HTTP ${refusal.status}`);
  const answer = await fetch(`${realm}?${new URLSearchParams(query)}`, {
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (!answer.ok) throw new Error(`${realm}: HTTP ${answer.status}`);
  const { token, access_token: other } = await answer.json();
  return token ?? other;
}

async function digestOf(tag) {
  const { registry, name, version } = placeOf(tag);
  const ask = (headers) =>
    fetch(`${registry}/v2/${name}/manifests/${version}`, {
      method: 'HEAD',
      headers: { accept: INDEXES, ...headers },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  let answer = await ask({});
  if (answer.status === 401) answer = await ask({ authorization: `Bearer ${await tokenFor(answer)}` });
  const digest = answer.headers.get('docker-content-digest') ?? '';
  if (!answer.ok || !/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`HTTP ${answer.status}, digest "${digest}"`);
  return digest;
}

async function pin() {
  let text = readFileSync(file, 'utf8');
  let failed = 0;
  for (const { line, name, tag, digest: before } of images(text))
    try {
      const digest = await digestOf(tag);
      text = text.replace(line, `${name}=${tag}@${digest}`);
      console.log(`${tag}@${digest}${before === digest ? ' (as before)' : ''}`);
    } catch (error) {
      failed++;
      console.error(`${tag}: ${error.cause?.message ?? error.message}`);
    }
  writeFileSync(file, text);
  if (failed > 0) throw new Error(`${failed} images keep what they had`);
}

function check() {
  const text = readFileSync(file, 'utf8');
  const known = images(text);
  const faults = known
    .filter(({ digest }) => digest === undefined)
    .map(({ tag }) => `deploy/images.env: ${tag} has no digest: npm run pin:images`);
  const names = new Set([...known.map(({ name }) => name), 'CAUSEWAY_IMAGE']);
  const compose = readFileSync(path.join(root, 'deploy/compose.production.yml'), 'utf8');
  for (const [, image] of compose.matchAll(/^\s*image: (.*)$/gm))
    if (!names.has(/^\$\{(\w+):\?/.exec(image)?.[1]))
      faults.push(`compose.production.yml: ${image} is not one of deploy/images.env`);
  const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
  for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm))
    if (!/^\$\{NODE_IMAGE\}$/.test(image)) faults.push(`Dockerfile: FROM ${image}`);
  const basis = known.find(({ name }) => name === 'NODE_IMAGE')?.tag;
  if (!dockerfile.includes(`ARG NODE_IMAGE=${basis}\n`))
    faults.push(`Dockerfile: without an argument it is not built on ${basis}`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (purpose === '--check') check();
else
  await pin().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
