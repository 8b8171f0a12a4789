import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { AnyVariables, DocumentInput } from 'urql';
import { useMutation } from 'urql';
import { useFactor } from './factor';
import { saysEnded } from './client';
import { type Failure, failureOf, SESSION_ENDED } from './failure';

/** A mutation that the operator runs. */
export interface Action<Data, Variables> {
  /** @returns the answer, or undefined if it was refused: then `failure` says why */
  readonly run: (variables: Variables) => Promise<Data | undefined>;
  readonly busy: boolean;
  readonly failure: Failure | null;
  readonly forget: () => void;
}

/** For mutations that carry a file: this address accepts larger bodies. */
export const FILES = '/graphql/files';

/**
 * A mutation and its outcome. The caller shows a refusal.
 * @param done notification shown for a moment on success; it may depend on the answer
 * @param url address, if not the usual one
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  done?: string | ((data: Data) => string),
  url?: string,
): Action<Data, Variables> {
  const [{ fetching }, mutate] = useMutation(document);
  const [failure, setFailure] = useState<Failure | null>(null);
  const askForFactor = useFactor();
  return {
    busy: fetching,
    failure,
    forget: () => {
      setFailure(null);
    },
    run: async (variables) => {
      setFailure(null);
      const send = async () => await mutate(variables, url === undefined ? {} : { url });
      let answer = await send();
      // The step was refused: it is repeated once the operator has shown the second factor.
      if (answer.error && failureOf(answer.error).code === 'FACTOR_REQUIRED' && (await askForFactor?.()))
        answer = await send();
      const { data, error } = answer;
      if (error) {
        setFailure(saysEnded(answer) ? SESSION_ENDED : failureOf(error));
        return undefined;
      }
      const message = typeof done === 'function' ? data && done(data) : done;
      if (message !== undefined) notifications.show({ message, color: 'tide' });
      return data;
    },
  };
}

/**
 * For `idempotencyKey`: one key each time a dialog is opened. A mutation sent again after a lost answer runs once
 * (docs/graph.md, "Safe to repeat"). Every mutation that moves money sends one.
 */
export function useIdempotencyKey(): string {
  const [key] = useState(() =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  );
  return key;
}
