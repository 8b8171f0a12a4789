import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { AnyVariables, DocumentInput } from 'urql';
import { useMutation } from 'urql';
import { type Failure, failureOf } from './failure';

/** Something that the operator does. */
export interface Action<Data, Variables> {
  /** @returns what came of it, or undefined where it was refused: then `failure` says why */
  readonly run: (variables: Variables) => Promise<Data | undefined>;
  readonly busy: boolean;
  readonly failure: Failure | null;
  readonly forget: () => void;
}

/** Where a mutation that carries a file is sent: more bytes are taken there. */
export const FILES = '/graphql/files';

/**
 * A mutation with what came of it. Its refusal is told where it was asked for, by whoever calls.
 * @param done what is told where it went well, for a moment
 * @param url where it is sent, if not to where all else is
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  done?: string,
  url?: string,
): Action<Data, Variables> {
  const [{ fetching }, mutate] = useMutation(document);
  const [failure, setFailure] = useState<Failure | null>(null);
  return {
    busy: fetching,
    failure,
    forget: () => {
      setFailure(null);
    },
    run: async (variables) => {
      setFailure(null);
      const { data, error } = await mutate(variables, url === undefined ? {} : { url });
      if (error) {
        setFailure(failureOf(error));
        return undefined;
      }
      if (done !== undefined) notifications.show({ message: done, color: 'tide' });
      return data;
    },
  };
}

/**
 * For `idempotencyKey`: one for each time that a dialog is opened. Sent again after an answer got lost, the same thing
 * is done once (docs/graph.md, "Safe to repeat"). Whatever moves money sends it.
 */
export function useIdempotencyKey(): string {
  const [key] = useState(() =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join(''),
  );
  return key;
}
