import express, { type RequestHandler } from 'express';
import { metrics } from '../../runtime/metrics';
import { type LimitName, Refusal } from './refusal';

/** A counted refusal of a request. */
export const refuse = (limit: LimitName, kind: ConstructorParameters<typeof Refusal>[1], message: string): Refusal => {
  metrics.operationsRefused.inc({ limit });
  return new Refusal(limit, kind, message);
};

/** body-parser's error for a body that it refused. */
interface BodyError extends Error {
  readonly status: number;
  /** Absent if the body could not be decoded. */
  readonly type?: string;
}
const isBodyError = (error: unknown): error is BodyError =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;

function refusalOf({ type }: BodyError, most: number): Refusal {
  switch (type) {
    case 'entity.too.large':
      return refuse('body', 'PAYLOAD_TOO_LARGE', `a request has at most ${most} bytes`);
    case 'encoding.unsupported':
      return refuse('body', 'UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be identity, gzip, deflate or br');
    case undefined:
      return refuse('body', 'MALFORMED_REQUEST', 'the body is not what Content-Encoding says');
    default:
      return refuse('body', 'MALFORMED_REQUEST', 'the body must be JSON');
  }
}

/**
 * Reads a JSON body, and passes on a Refusal for one that is too large, coded otherwise than it says, or no JSON.
 * @param most bytes, after decoding
 */
export function jsonBody(most: number): RequestHandler {
  const read = express.json({ limit: most });
  return (request, response, next) => {
    read(request, response, (error?: unknown) => {
      next(isBodyError(error) ? refusalOf(error, most) : error);
    });
  };
}
