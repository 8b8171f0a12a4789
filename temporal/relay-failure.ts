import { isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';

/** gRPC codes that point to the server or its set-up, not to the row. */
const SERVER_TROUBLE: ReadonlySet<number> = new Set([
  1, // CANCELLED
  2, // UNKNOWN
  4, // DEADLINE_EXCEEDED
  5, // NOT_FOUND
  7, // PERMISSION_DENIED
  8, // RESOURCE_EXHAUSTED
  13, // INTERNAL
  14, // UNAVAILABLE
  16, // UNAUTHENTICATED
]);

/** The error's text, with the cause that gRPC hides one level down, and whether it is the server's and not the row's. */
export function describeFailure(error: unknown): { text: string; serverUnavailable: boolean } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return {
    text: cause instanceof Error ? cause.message.slice(0, 500) : String(cause),
    serverUnavailable:
      error instanceof NamespaceNotFoundError || (isGrpcServiceError(cause) && SERVER_TROUBLE.has(cause.code)),
  };
}
