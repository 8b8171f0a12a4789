/**
 * Says why this program does not run on the data of a server, and what to do: read by a person, so it is printed without
 * its stack.
 */
export class DataRefused extends Error {
  override readonly name = 'DataRefused';
}
