import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import {
  type InvitationRowFragment,
  InvitationsDocument,
  InviteOperatorDocument,
  ResendInvitationDocument,
  RevokeInvitationDocument,
} from '../../generated/operations';
import { List, useList } from '../../parts/list';
import { pageOf } from '../../parts/paging';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time, useNow } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { type Access, AccessFields, accessOf } from './access';

type State = 'INVITED' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';

function stateOf({ usedAt, revokedAt, expiresAt }: InvitationRowFragment, now: Date): State {
  if (usedAt !== null) return 'ACCEPTED';
  if (revokedAt !== null) return 'REVOKED';
  return new Date(expiresAt) > now ? 'INVITED' : 'EXPIRED';
}

/** The state of an invitation's newest mail. */
function MailState({ mails }: Pick<InvitationRowFragment, 'mails'>): ReactNode {
  const [mail] = mails;
  if (!mail) return <span className="dim">–</span>;
  const { status, attempts, lastError } = mail;
  const words = {
    SENT: 'Sent',
    QUEUED: attempts < 2 ? 'On its way' : `Tried ${String(attempts)} times`,
    FAILED: 'Failed',
  }[status];
  const tone = ({ SENT: 'good', QUEUED: 'move', FAILED: 'bad' } as const)[status];
  return (
    <span title={lastError ?? undefined}>
      <Status value={status} tone={tone} words={words} />
    </span>
  );
}

const columns = (now: Date): readonly Column<InvitationRowFragment>[] => [
  { key: 'email', title: 'Invited', cell: ({ email }) => email },
  {
    key: 'state',
    title: 'Status',
    cell: (invitation) => {
      const state = stateOf(invitation, now);
      return <Status value={state} {...(state === 'ACCEPTED' && { tone: 'good' as const })} />;
    },
  },
  { key: 'roles', title: 'Roles', cell: ({ roles }) => roles.map(inWords).join(', ') },
  {
    key: 'merchants',
    title: 'Merchants',
    wideOnly: true,
    cell: ({ merchantIds }) => (merchantIds === null ? <span className="dim">all</span> : String(merchantIds.length)),
  },
  { key: 'mail', title: 'Mail', cell: ({ mails }) => <MailState mails={mails} /> },
  { key: 'createdAt', title: 'Invited', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { key: 'expiresAt', title: 'Valid until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
];

/** Proposes an invitation. */
export function Invite({ onClose }: { onClose: () => void }): ReactNode {
  const invite = useAction(InviteOperatorDocument);
  const [email, setEmail] = useState('');
  const [access, setAccess] = useState<Access>({ roles: ['view'], merchantIds: [] });
  return (
    <ProposeDialog
      title="Invite an operator"
      busy={invite.busy}
      failure={invite.failure}
      ready={email.includes('@') && access.roles.length > 0}
      onPropose={async (why) => {
        const done = await invite.run({ email: email.trim(), ...accessOf(access), ...why });
        if (!done) return;
        notifyProposed(done.inviteOperator.change);
        onClose();
      }}
      onClose={onClose}
    >
      Once another operator has approved it, we email a link that works once, for three days.
      <TextInput
        label="E-mail"
        type="email"
        value={email}
        required
        data-autofocus
        onChange={({ currentTarget: { value } }) => {
          setEmail(value);
        }}
      />
      <AccessFields value={access} onChange={setAccess} />
    </ProposeDialog>
  );
}

const ACTS = {
  resend: {
    document: ResendInvitationDocument,
    title: 'Send again to',
    act: 'Send again',
    effect: 'Sends a new link. The earlier one stops working.',
    done: 'New link sent.',
  },
  revoke: {
    document: RevokeInvitationDocument,
    title: 'Revoke the invitation of',
    act: 'Revoke',
    effect: 'Its link stops working.',
    done: 'Invitation revoked.',
  },
} as const;

function Act({
  which,
  invitation: { id, email },
  onDone,
  onClose,
}: {
  which: keyof typeof ACTS;
  invitation: InvitationRowFragment;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const { document, title, act, effect, done } = ACTS[which];
  const action = useAction<unknown, { id: string; reason: string }>(document, done);
  return (
    <ReasonDialog
      title={`${title} ${email}`}
      act={act}
      danger={which === 'revoke'}
      busy={action.busy}
      failure={action.failure}
      onAct={async (reason) => {
        if ((await action.run({ id, reason })) === undefined) return;
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      {effect}
    </ReasonDialog>
  );
}

/** The invitations. */
export function Invitations(): ReactNode {
  const now = useNow();
  const url = useUrlState();
  const list = useList(InvitationsDocument, pageOf(url), ({ invitations }) => invitations);
  usePolled(list.look);
  const [acting, setActing] = useState<{
    which: keyof typeof ACTS;
    invitation: InvitationRowFragment;
  } | null>(null);
  const button = (which: keyof typeof ACTS, invitation: InvitationRowFragment): ReactNode => (
    <Button
      variant="subtle"
      {...(which === 'revoke' && { color: 'red.8', className: 'quiet-danger' })}
      aria-label={`${ACTS[which].title} ${invitation.email}`}
      onClick={() => {
        setActing({ which, invitation });
      }}
    >
      {ACTS[which].act}
    </Button>
  );
  return (
    <>
      <List
        list={list}
        label="Invitations"
        columns={columns(now)}
        empty={
          <Empty icon="send" title="No invitations">
            Invitations appear here once they are approved.
          </Empty>
        }
        actions={(invitation) =>
          ['INVITED', 'EXPIRED'].includes(stateOf(invitation, now)) && (
            <>
              {button('resend', invitation)}
              {button('revoke', invitation)}
            </>
          )
        }
      />
      {acting && (
        <Act
          {...acting}
          onDone={list.look}
          onClose={() => {
            setActing(null);
          }}
        />
      )}
    </>
  );
}
