// Reads a Dockerfile: its stages, each with its instructions. What these checks cannot perform is refused by its name, never
// passed over.

/** Flags that are performed; every other one is refused. */
const FLAGS = { COPY: ['from', 'chown'] };
/** They say nothing about files or processes. */
const NOTES = ['LABEL', 'EXPOSE'];

/** An instruction that is wrong, or that cannot be performed here. */
const refusal = ({ line, text }, why) => new Error(`Dockerfile:${line}: ${text}: ${why}`);

/** The lines as instructions: without comments, and with what a backslash continues. */
function statements(text) {
  const found = [];
  let open = null;
  for (const [index, row] of text.split('\n').entries()) {
    if (/^\s*#/.test(row)) {
      if (/^\s*#\s*escape\s*=/i.test(row)) throw new Error(`Dockerfile:${index + 1}: ${row}`);
      continue;
    }
    if (row.trim() === '' && open === null) continue;
    const goesOn = /\\\s*$/.test(row);
    const part = row.replace(/\\\s*$/, '').trim();
    open = open ?? { line: index + 1, text: '' };
    open.text = `${open.text} ${part}`.trim();
    if (!goesOn) {
      found.push(open);
      open = null;
    }
  }
  if (open !== null) found.push(open);
  return found;
}

/** `["a", "b"]`; null if it is no list. */
function listOf(text) {
  if (!text.startsWith('[')) return null;
  try {
    const list = JSON.parse(text);
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null;
  } catch {
    return null;
  }
}

/** Puts variables in. @throws for one that is not set, and for a form other than $NAME and ${NAME} */
function expand(statement, text, variables) {
  return text.replace(/\$(?:\{([^}]*)\}|(\w+)|(.?))/g, (_, braced, plain) => {
    const name = braced ?? plain;
    if (!/^\w+$/.test(name ?? '') || !(name in variables))
      throw refusal(statement, `no variable ${name ?? '$'} is set`);
    return variables[name];
  });
}

function pairs(statement, text) {
  const found = [...text.matchAll(/(\w+)=("([^"]*)"|[^\s"']+)(?:\s+|$)/g)];
  if (
    found
      .map(([whole]) => whole)
      .join('')
      .trim() !== text.trim()
  )
    throw refusal(statement, 'only NAME=value is read here');
  return found.map(([, name, plain, quoted]) => [name, quoted ?? plain]);
}

function flagsOf(statement, keyword, text) {
  const flags = {};
  let rest = text;
  for (let match; (match = /^--([\w-]+)(?:=(\S+))?\s+/.exec(rest)); rest = rest.slice(match[0].length)) {
    if (!FLAGS[keyword]?.includes(match[1]) || match[2] === undefined)
      throw refusal(statement, `--${match[1]} is not performed here`);
    flags[match[1]] = match[2];
  }
  return { flags, rest };
}

function readCopy(statement, flags, rest, variables) {
  const words = listOf(rest) ?? rest.split(/\s+/);
  const [to, ...from] = words.map((word) => expand(statement, word, variables)).reverse();
  if (from.length === 0) throw refusal(statement, 'no source, or no destination');
  const odd = words.find((word) => /[*?[\]\\]|<</.test(word));
  if (odd !== undefined) throw refusal(statement, `${odd} is not performed here`);
  return {
    kind: 'COPY',
    sources: from.reverse(),
    to,
    stage: flags.from ?? null,
    owner: flags.chown ?? null,
  };
}

function commandOf(statement, text) {
  const list = listOf(text);
  if (list === null) throw refusal(statement, 'only a list is read here');
  return list;
}

/**
 * @returns the stages in their order: `name` (or null), `base`, `steps` (COPY, RUN and WORKDIR, each with the variables and the
 * user in force), and what the last instructions leave: `env`, `user`, `workdir`, `entrypoint`, `cmd`
 * @throws with the line of an instruction that is not performed here
 */
export function readDockerfile(text) {
  const stages = [];
  const globals = {};
  let stage = null;
  for (const statement of statements(text)) {
    const [, keyword = '', written = ''] = /^([A-Za-z]+)\s+(.*)$/s.exec(statement.text) ?? [];
    const kind = keyword.toUpperCase();
    const { flags, rest } = flagsOf(statement, kind, written);
    const add = (step) =>
      stage.steps.push({
        ...step,
        ...statement,
        env: { ...stage.env },
        args: { ...stage.args },
        user: stage.user,
      });
    if (stage === null && kind !== 'ARG' && kind !== 'FROM') throw refusal(statement, 'it stands before FROM');
    const variables = stage === null ? globals : { ...stage.args, ...stage.env };
    const plain = () => expand(statement, rest, variables);
    if (kind === 'ARG') {
      const [, name, value] = /^(\w+)(?:=(.*))?$/.exec(rest) ?? [];
      if (name === undefined) throw refusal(statement, 'only NAME or NAME=value is read here');
      const given = value === undefined ? globals[name] : expand(statement, value, variables);
      if (given !== undefined) (stage === null ? globals : stage.args)[name] = given;
    } else if (kind === 'FROM') {
      const [, base, name = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      if (base === undefined) throw refusal(statement, 'only IMAGE or IMAGE AS NAME is read here');
      const image = expand(statement, base, globals);
      stage = {
        name,
        base: image,
        steps: [],
        env: {},
        args: {},
        user: 'root',
        workdir: '/',
        entrypoint: [],
        cmd: [],
      };
      const from = stages.find((one) => one.name === image);
      if (from) throw refusal(statement, 'a stage on another stage is not performed here');
      stages.push(stage);
    } else if (kind === 'WORKDIR') {
      const folder = plain();
      stage.workdir = folder.startsWith('/') ? folder : `${stage.workdir}/${folder}`;
      add({ kind, workdir: stage.workdir });
    } else if (kind === 'COPY') {
      const copy = readCopy(statement, flags, rest, variables);
      if (copy.stage !== null && !stages.slice(0, -1).some(({ name }) => name === copy.stage))
        throw refusal(statement, `there is no stage ${copy.stage} before it`);
      add({ ...copy, workdir: stage.workdir });
    } else if (kind === 'RUN') {
      if (/<</.test(rest)) throw refusal(statement, 'a here-document is not performed here');
      add({ kind, command: listOf(rest) ?? ['/bin/sh', '-c', rest], workdir: stage.workdir });
    } else if (kind === 'ENV') {
      for (const [name, value] of pairs(statement, rest)) stage.env[name] = expand(statement, value, variables);
    } else if (kind === 'USER') stage.user = plain();
    else if (kind === 'ENTRYPOINT') stage.entrypoint = commandOf(statement, rest);
    else if (kind === 'CMD') stage.cmd = commandOf(statement, rest);
    else if (!NOTES.includes(kind)) throw refusal(statement, 'it is not performed here');
  }
  if (stages.length === 0) throw new Error('Dockerfile: no FROM');
  return stages;
}
