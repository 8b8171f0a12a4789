import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import { ResendCallbackDocument } from '../../generated/operations';
import { Icon } from '../../parts/icons';
import { Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Status } from '../../parts/status';
import type { Callback } from './story';

function Resend({ callback, onClose }: { callback: Callback; onClose: () => void }): ReactNode {
  const resend = useAction(ResendCallbackDocument, 'Callback resent.');
  return (
    <ReasonDialog
      title="Resend callback"
      act="Resend"
      busy={resend.busy}
      failure={resend.failure}
      onAct={async (reason) => {
        if (await resend.run({ id: callback.id, reason })) onClose();
      }}
      onClose={onClose}
    >
      The same body is sent to {new URL(callback.targetUrl).host} again, with up to five new attempts.
    </ReasonDialog>
  );
}

/** An order's callbacks, each with a resend. */
export function Callbacks({ of }: { of: readonly Callback[] }): ReactNode {
  const { me } = useSession();
  const [resending, setResending] = useState<string | null>(null);
  const chosen = of.find(({ id }) => id === resending);
  return (
    <Section title="Callbacks">
      {of.length === 0 && <p className="dim">None yet.</p>}
      {of.map((callback) => (
        <div key={callback.id} className="callback-row">
          <div>
            <p className="callback-title">
              {inWords(callback.notificationType)} <Status value={callback.status} />
            </p>
            <p className="dim wrap">
              {callback.targetUrl} · {callback.attemptCount} of 5 attempts
              {callback.totalAttempts > callback.attemptCount && `, ${String(callback.totalAttempts)} ever`}
            </p>
            {callback.workflow.waitsFor !== null && <p className="dim">Waiting for {callback.workflow.waitsFor}</p>}
            {callback.workflow.url !== null && (
              <a href={callback.workflow.url} target="_blank" rel="noreferrer">
                Workflow <Icon name="external" size={12} />
              </a>
            )}
          </div>
          {may(me, 'SUPPORT') && (
            <Button
              variant="default"
              leftSection={<Icon name="send" />}
              onClick={() => {
                setResending(callback.id);
              }}
            >
              Resend
            </Button>
          )}
        </div>
      ))}
      {chosen && (
        <Resend
          callback={chosen}
          onClose={() => {
            setResending(null);
          }}
        />
      )}
    </Section>
  );
}
