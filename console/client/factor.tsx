import { Button, Stack } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from 'urql';
import {
  BeginFactorDocument,
  type BeginFactorMutation,
  ConfirmFactorDocument,
  type PasskeyAnswerInput,
} from '../generated/operations';
import { Dialog } from '../parts/dialog';
import { CodeField } from '../parts/fields';
import { Form } from '../parts/form';
import { FailureLine } from '../parts/states';
import { type Failure, failureOf } from './failure';
import { askPasskey } from './passkey';

/** Asks for the second factor again. @returns whether it was shown */
type Ask = () => Promise<boolean>;

const FactorContext = createContext<Ask | null>(null);

/** Asks for the second factor; null on pages where nobody is logged in. */
export const useFactor = (): Ask | null => use(FactorContext);

type Request = BeginFactorMutation['beginFactor'];

function FactorDialog({ onEnd }: { onEnd: (shown: boolean) => void }): ReactNode {
  const client = useClient();
  const [request, setRequest] = useState<Request | null>(null);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const begin = async (): Promise<Request | null> => {
    const { data, error } = await client.mutation(BeginFactorDocument, {});
    if (error) setFailure(failureOf(error));
    return data?.beginFactor ?? null;
  };
  useEffect(() => {
    void client
      .mutation(BeginFactorDocument, {})
      .toPromise()
      .then(({ data, error }) => {
        if (error) setFailure(failureOf(error));
        setRequest(data?.beginFactor ?? null);
      });
  }, [client]);
  const confirm = async (shown: { code?: string; passkey?: PasskeyAnswerInput }): Promise<void> => {
    const { error } = await client.mutation(ConfirmFactorDocument, {
      code: shown.code ?? null,
      passkey: shown.passkey ?? null,
    });
    if (error) setFailure(failureOf(error));
    else onEnd(true);
  };
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setFailure(null);
    void work().finally(() => {
      setBusy(false);
    });
  };
  const byPasskey = async (): Promise<void> => {
    // A challenge is valid once: after a failure a new one is fetched.
    const { passkey } = (failure ? await begin() : request) ?? {};
    if (!passkey) return;
    const said = await askPasskey(passkey);
    if (said.answer) await confirm({ passkey: said.answer });
    else setFailure(said.failure);
  };
  return (
    <Dialog
      title="Confirm that it is you"
      onClose={() => {
        onEnd(false);
      }}
    >
      <Stack gap="sm">
        <p>
          This step needs your second factor again: you last showed it more than five minutes ago. What you entered is
          kept.
        </p>
        {request?.passkey && (
          <Button
            loading={busy}
            data-autofocus
            onClick={() => {
              run(byPasskey);
            }}
          >
            Use a passkey
          </Button>
        )}
        {request?.code ? (
          <Form
            act="Confirm"
            busy={busy}
            failure={failure}
            ready={code !== ''}
            onAct={() => {
              run(async () => {
                await confirm({ code });
              });
            }}
          >
            <CodeField value={code} onChange={setCode} />
          </Form>
        ) : (
          <FailureLine failure={failure} />
        )}
        {request && !request.code && !request.passkey && (
          <p className="note warn">
            Your permissions need a passkey, and passkeys do not work at this address: open the console by its host
            name.
          </p>
        )}
      </Stack>
    </Dialog>
  );
}

/** Lets the components below ask for the second factor, above any open dialog. */
export function FactorProvider({ children }: { children: ReactNode }): ReactNode {
  const [asking, setAsking] = useState(false);
  const waiting = useRef<((shown: boolean) => void)[]>([]);
  const ask = useMemo<Ask>(
    () => async () =>
      await new Promise((resolve) => {
        waiting.current.push(resolve);
        setAsking(true);
      }),
    [],
  );
  const end = (shown: boolean): void => {
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(shown);
  };
  return (
    <FactorContext value={ask}>
      {children}
      {asking && <FactorDialog onEnd={end} />}
    </FactorContext>
  );
}
