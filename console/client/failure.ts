import type { CombinedError } from 'urql';

/** Why an answer did not come, as the console tells it. */
export interface Failure {
  /** offline: the network; unavailable: the platform, for now; ended: log in again; refused: by a rule. */
  readonly kind: 'offline' | 'unavailable' | 'ended' | 'refused' | 'missing' | 'broken';
  /** For people: the catalogue's own message where it refused. */
  readonly message: string;
  /** The catalogue's code, if there is one. */
  readonly code: string | null;
}

const statusOf = (error: CombinedError): number | undefined =>
  (error.response as { status?: number } | undefined)?.status;

/** The catalogue's messages begin small. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What an error of the client means. */
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
  if (error.networkError)
    return { kind: 'offline', message: 'The platform cannot be reached.', code };
  return { kind: 'broken', message, code };
}
