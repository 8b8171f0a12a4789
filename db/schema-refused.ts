/** Says why this program neither changes nor uses a database, and what to do: read by a person, so it needs no stack. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
}
