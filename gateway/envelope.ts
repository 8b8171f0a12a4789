import type { CatalogueError } from '../domain/errors';

/** Every answer's body (contract, "What the service does", rule 3). */
export interface Success<Data> {
  readonly success: true;
  readonly code: 'SUCCESS';
  readonly message: 'OK';
  readonly data: Data;
}

/** The body of an error (contract, "Errors"). */
export interface Failure {
  readonly success: false;
  readonly code: string;
  /** For people; not part of the contract. */
  readonly message: string;
  readonly data: null;
}

/** Wraps a route's data. */
export const success = <Data>(data: Data): Success<Data> => ({
  success: true,
  code: 'SUCCESS',
  message: 'OK',
  data,
});

/** Wraps a refusal; `data` is always null. */
export const failure = ({ code, message }: CatalogueError): Failure => ({
  success: false,
  code,
  message,
  data: null,
});
