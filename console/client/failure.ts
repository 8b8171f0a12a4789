import type { CombinedError } from 'urql';

/** Why a request failed, in the console's terms. */
export interface Failure {
  /**
   * offline: no network; unavailable: the platform does not answer; ended: the session has ended; refused: by a rule.
   */
  readonly kind: 'offline' | 'unavailable' | 'ended' | 'refused' | 'missing' | 'broken';
  /** To be shown: the catalogue's own message if it refused. */
  readonly message: string;
  /** The catalogue's code, if there is one. */
  readonly code: string | null;
}

/** The failure of a step that reached the platform after the session had ended. */
export const SESSION_ENDED: Failure = {
  kind: 'ended',
  message: 'Your session had ended, so nothing was done. Send it again.',
  code: 'UNAUTHENTICATED',
};

const statusOf = (error: CombinedError): number | undefined =>
  (error.response as { status?: number } | undefined)?.status;

/** The catalogue's messages begin with a lower-case letter. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Classifies an error of the GraphQL client. */
export function failureOf(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  const code = (first?.extensions['code'] as string | undefined) ?? null;
  const message = sentence(first?.message ?? error.message);
  switch (code) {
    case 'UNAUTHENTICATED':
      return { kind: 'ended', message, code };
    case 'NOT_FOUND':
      return { kind: 'missing', message, code };
    case 'SERVICE_UNAVAILABLE':
    case 'OPTIMISTIC_LOCK_ERROR':
    case 'RATE_LIMITED':
      return { kind: 'unavailable', message, code };
    case 'INTERNAL_ERROR':
      return { kind: 'broken', message: 'An internal error occurred. It has been logged.', code };
    case null:
      break;
    default:
      return { kind: 'refused', message, code };
  }
  const status = statusOf(error);
  if (status !== undefined && status >= 500)
    return { kind: 'unavailable', message: 'The platform is not available at the moment.', code };
  if (error.networkError) return { kind: 'offline', message: 'The platform cannot be reached.', code };
  return { kind: 'broken', message, code };
}
