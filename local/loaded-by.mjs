// Which roles load a file. The others run on as they are when it changes.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROLES = ['gateway', 'graph', 'worker'];

/** The modules of the build that a role loads, now or later, as paths below `dist`. */
function modulesOf(role, dist) {
  const others = new Set(ROLES.filter((name) => name !== role).map((name) => `roles/${name}.js`));
  const found = new Set();
  const open = ['roles/serve.js', `roles/${role}.js`];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || others.has(file)) continue;
    found.add(file);
    const code = readFileSync(path.join(dist, file), 'utf8');
    for (const [, required] of code.matchAll(/\brequire\("(\.[^"]+)"\)/g)) {
      const named = path.posix.join(path.posix.dirname(file), required).replace(/\.js$/, '');
      const module = [`${named}.js`, `${named}/index.js`].find((one) => existsSync(path.join(dist, one)));
      if (module) open.push(module);
    }
  }
  return found;
}

/**
 * The roles that must start afresh after a change of these files. All of them after one that no role loads as a module,
 * such as a query, or the main program: any may read it.
 */
export function rolesThatLoad(files, dist) {
  const modules = new Map(ROLES.map((role) => [role, modulesOf(role, dist)]));
  const concerned = files.flatMap((file) => {
    const roles = ROLES.filter((role) => modules.get(role).has(file.replace(/\.ts$/, '.js')));
    // The bundle of workflows, which only the worker reads, is made of these.
    if (/^(workflows|domain)\//.test(file)) roles.push('worker');
    return roles.length > 0 ? roles : ROLES;
  });
  return ROLES.filter((role) => concerned.includes(role));
}
