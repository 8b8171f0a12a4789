// JSON schemas for kubeconform: of Kubernetes' own resources from its OpenAPI, and of the operators' resources from their
// definitions (CRDs), all in Go modules. Kept in the cache folder.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { KUBERNETES } from './render.mjs';
import { cache, moduleFolder } from './tools.mjs';

/** Where each operator's definitions are, in its module. */
const OPERATORS = [
  ['github.com/kedacore/keda/v2', 'v2.21.0', 'config/crd/bases'],
  ['github.com/prometheus-operator/prometheus-operator', 'v0.85.0', 'example/prometheus-operator-crd'],
  ['github.com/external-secrets/external-secrets', 'v1.3.2', 'config/crds/bases'],
];

const INT_OR_STRING = { oneOf: [{ type: 'string' }, { type: 'integer' }] };

/** As kubeconform wants it: an unknown field is an error, and a number may be given as Kubernetes takes it. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string']) return INT_OR_STRING;
  const out = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'properties' || name === 'definitions'
        ? Object.fromEntries(Object.entries(value).map(([field, of]) => [field, strict(of)]))
        : ['enum', 'default', 'required', 'example'].includes(name)
          ? value
          : strict(value),
    ]),
  );
  if (out.properties && out.additionalProperties === undefined && !schema['x-kubernetes-preserve-unknown-fields'])
    out.additionalProperties = false;
  return out;
}

const REF = '#/definitions/';

/** A definition with all that it refers to. */
function whole(definitions, name) {
  const used = {};
  const take = (of) => {
    if (used[of]) return;
    used[of] = definitions[of];
    for (const [, next] of JSON.stringify(definitions[of]).matchAll(/"#\/definitions\/([^"]+)"/g)) take(next);
  };
  take(name);
  return { $ref: `${REF}${name}`, definitions: used };
}

/** The file that kubeconform looks for; to it the group of `v1` is v1. */
const fileOf = ({ group, version, kind }) => `${kind}-${group === '' ? version : group}-${version}.json`.toLowerCase();

async function write(folder, fill) {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.tmp-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  await fill((resource, schema) => {
    writeFileSync(path.join(unfinished, fileOf(resource)), JSON.stringify(schema));
  });
  renameSync(unfinished, folder);
}

async function kubernetes(put) {
  const source = await moduleFolder('k8s.io/kubernetes', KUBERNETES);
  const file = path.join(source, 'api/openapi-spec/swagger.json');
  const { definitions } = strict(JSON.parse(readFileSync(file, 'utf8')));
  definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] = {
    oneOf: [{ type: 'string' }, { type: 'number' }],
  };
  for (const [name, { 'x-kubernetes-group-version-kind': resources }] of Object.entries(definitions))
    if (resources?.length === 1) put(resources[0], whole(definitions, name));
}

async function operators(put) {
  for (const [module, version, folder] of OPERATORS) {
    const place = path.join(await moduleFolder(module, version), folder);
    for (const file of readdirSync(place).filter((name) => name.endsWith('.yaml')))
      for (const document of parseAllDocuments(readFileSync(path.join(place, file), 'utf8'))) {
        const { kind, spec } = document.toJS() ?? {};
        if (kind !== 'CustomResourceDefinition') continue;
        for (const { name, schema } of spec.versions) {
          const root = schema.openAPIV3Schema;
          const { properties } = root;
          const metadata = { type: 'object' };
          const own = { ...root, properties: { ...properties, metadata } };
          put({ group: spec.group, version: name, kind: spec.names.kind }, strict(own));
        }
      }
  }
}

/** @returns kubeconform's -schema-location */
export async function provideSchemas() {
  const version = `${KUBERNETES}-${OPERATORS.map(([, of]) => of).join('-')}`;
  const folder = path.join(cache, `schemas-${version}`);
  await write(folder, async (put) => {
    await kubernetes(put);
    await operators(put);
  });
  return `${folder}/{{.ResourceKind}}-{{.Group}}-{{.ResourceAPIVersion}}.json`;
}
