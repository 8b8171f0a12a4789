import { Button, Group, Stack, TagsInput, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { EvidenceInput, ChangeFieldsFragment } from '../generated/operations';
import type { Failure } from '../client/failure';
import { useSession } from '../client/session';
import { Dialog } from './dialog';
import { ReasonChips, rememberReason } from './chips';
import { sendByKey, type Usual } from './reason';
import { FailureLine } from './states';

/** Notifies about a proposal: applied, or waiting for another operator. */
export function notifyProposed({ id, status, summary }: ChangeFieldsFragment): void {
  const applied = status === 'APPLIED';
  notifications.show({
    title: applied ? 'Done' : 'Proposed',
    message: (
      <>
        {summary}. {!applied && 'Another person decides. '}
        <Link to={`/changes/${id}`}>Change request</Link>
      </>
    ),
    color: applied ? 'tide' : 'yellow.9',
    autoClose: 8_000,
  });
}

/** The evidence for a proposal. */
export interface Case {
  readonly reason: string;
  readonly evidence: EvidenceInput | null;
}

/** A dialog to propose a change: its fields, reason and evidence. */
export function ProposeDialog({
  title,
  act = 'Propose',
  danger = false,
  evidence: wantsEvidence = true,
  needsEvidence = false,
  busy,
  failure,
  ready = true,
  wide = false,
  usual,
  children,
  onPropose,
  onClose,
}: {
  title: string;
  act?: string;
  danger?: boolean;
  /** Whether evidence can be added. */
  evidence?: boolean;
  needsEvidence?: boolean;
  busy: boolean;
  failure: Failure | null;
  /** Whether the required fields are filled in. */
  ready?: boolean;
  wide?: boolean;
  /** Reasons to choose from, by the name under which they are kept. */
  usual?: Usual;
  children?: ReactNode;
  onPropose: (why: Case) => void;
  onClose: () => void;
}): ReactNode {
  const { me } = useSession();
  const [reason, setReason] = useState('');
  const [text, setText] = useState('');
  const [links, setLinks] = useState<string[]>([]);
  const hasEvidence = text.trim() !== '' || links.length > 0;
  return (
    <Dialog onClose={onClose} title={title} size={wide ? 'lg' : 'md'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (usual) rememberReason(me, usual.kind, reason.trim());
          const evidence = hasEvidence ? { text: text.trim() || null, links } : null;
          onPropose({ reason: reason.trim(), evidence });
        }}
      >
        <Stack gap="sm">
          {children}
          <Textarea
            label="Reason"
            description="For the operator who decides, and for the audit log."
            value={reason}
            onChange={({ currentTarget: { value } }) => {
              setReason(value);
            }}
            autosize
            minRows={2}
            maxLength={500}
            onKeyDown={sendByKey}
            required
          />
          {usual && <ReasonChips {...usual} onChoose={setReason} />}
          {wantsEvidence && (
            <>
              <Textarea
                label="Evidence"
                value={text}
                onChange={({ currentTarget: { value } }) => {
                  setText(value);
                }}
                autosize
                minRows={1}
                maxLength={4_000}
                onKeyDown={sendByKey}
                required={needsEvidence && links.length === 0}
              />
              <TagsInput
                label="Links"
                description="https addresses of tickets and documents. Press Enter after each."
                value={links}
                onChange={setLinks}
                maxTags={10}
              />
            </>
          )}
          <FailureLine failure={failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button
              type="submit"
              loading={busy}
              color={danger ? 'red.8' : undefined}
              disabled={!ready || reason.trim() === '' || (needsEvidence && !hasEvidence)}
            >
              {act}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
