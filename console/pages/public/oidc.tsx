import { Button, Loader, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useClient } from 'urql';
import { type Failure, failureOf } from '../../client/failure';
import { askPasskey } from '../../client/passkey';
import { useGate } from '../../client/session';
import { forgetBegun, readBegun } from '../../client/single-sign-on';
import {
  type PasskeyAnswerInput,
  ProveOidcDocument,
  type ProveOidcMutation,
  SignInByOidcDocument,
} from '../../generated/operations';
import { CodeField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { FailureLine } from '../../parts/states';
import { Gate } from '../../shell/gate';

type Proof = ProveOidcMutation['proveOidc'];

const NOT_BEGUN: Failure = {
  kind: 'refused',
  message: 'This sign-in was not begun in this tab, or has ended.',
  code: null,
};

/** Back from the identity provider: logs in, after the second factor where the operator has one. */
export function OidcPage(): ReactNode {
  const client = useClient();
  const { retry } = useGate();
  const navigate = useNavigate();
  const [proof, setProof] = useState<Proof | null>(null);
  const [code, setCode] = useState('');
  const [begun] = useState(readBegun);
  const [busy, setBusy] = useState(begun !== null);
  const [failure, setFailure] = useState<Failure | null>(begun ? null : NOT_BEGUN);
  const from = begun?.from ?? '/';

  const enter = async (
    { proof: text }: Proof,
    shown: { code?: string; passkey?: PasskeyAnswerInput } = {},
  ): Promise<void> => {
    const { error } = await client.mutation(SignInByOidcDocument, {
      proof: text,
      code: shown.code ?? null,
      passkey: shown.passkey ?? null,
    });
    setBusy(false);
    if (error) {
      setFailure(failureOf(error));
      return;
    }
    retry();
    await navigate(from, { replace: true });
  };
  const asked = useRef(false);
  useEffect(() => {
    // The answer is good once.
    if (asked.current || !begun) return;
    asked.current = true;
    forgetBegun();
    const answer = window.location.search;
    window.history.replaceState(null, '', window.location.pathname);
    void (async () => {
      const variables = { ticket: begun.ticket, answer };
      const { data, error } = await client.mutation(ProveOidcDocument, variables);
      if (data && !data.proveOidc.factor) {
        await enter(data.proveOidc);
        return;
      }
      setBusy(false);
      if (error) setFailure(failureOf(error));
      setProof(data?.proveOidc ?? null);
    })();
    // Once: what it reads is used up.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const byPasskey = async (found: Proof): Promise<void> => {
    const request = found.factor?.passkey;
    if (!request) return;
    setBusy(true);
    const said = await askPasskey(request);
    if (said.answer) {
      await enter(found, { passkey: said.answer });
      return;
    }
    setBusy(false);
    setFailure(said.failure);
  };
  return (
    <Gate title="Log in">
      <Stack gap="sm">
        {proof?.factor?.passkey && (
          <Button
            loading={busy}
            onClick={() => {
              void byPasskey(proof);
            }}
          >
            Use a passkey
          </Button>
        )}
        {proof?.factor ? (
          <Form
            act="Log in"
            busy={busy}
            failure={failure}
            ready={code !== ''}
            onAct={() => {
              setBusy(true);
              void enter(proof, { code });
            }}
          >
            <CodeField value={code} onChange={setCode} />
          </Form>
        ) : (
          <FailureLine failure={failure} />
        )}
        {!proof && busy && <Loader size="sm" aria-label="Loading" />}
        {!busy && (
          <Link to={from} className="aside-link">
            Back to the login
          </Link>
        )}
      </Stack>
    </Gate>
  );
}
