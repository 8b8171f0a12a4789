import { MultiSelect, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { environment } from '../../client/page-settings';
import { type AgentKeysQuery, CreateAgentKeyDocument, type CreateAgentKeyMutation } from '../../generated/operations';
import { ProposeDialog } from '../../parts/propose';

/** The accounts on which an agent may report. */
export type AgentAccounts = AgentKeysQuery['bankAccounts']['nodes'];
/** A proposed key. */
export type Issued = CreateAgentKeyMutation['createAgentKey'] & {
  /** Whether an owner enrols it. */
  readonly byOwner: boolean;
};

/** Proposes a new key. */
export function NewAgentKey({
  accounts,
  onIssued,
  onClose,
}: {
  accounts: AgentAccounts;
  onIssued: (issued: Issued) => void;
  onClose: () => void;
}): ReactNode {
  const create = useAction(CreateAgentKeyDocument);
  const [label, setLabel] = useState('');
  const [accountIds, setAccountIds] = useState<string[]>([]);
  const [maxTransferAmount, setTransfer] = useState('');
  const [maxDailyAmount, setDaily] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [publicKey, setPublicKey] = useState('');
  // Production refuses an agent without them.
  const strict = environment() === 'production';
  return (
    <ProposeDialog
      title="New agent key"
      busy={create.busy}
      failure={create.failure}
      ready={
        label.trim() !== '' &&
        accountIds.length > 0 &&
        (!strict || [maxTransferAmount, maxDailyAmount, ownerEmail].every((text) => text !== ''))
      }
      onPropose={async (why) => {
        const input = {
          label: label.trim(),
          accountIds,
          maxTransferAmount: maxTransferAmount || null,
          maxDailyAmount: maxDailyAmount || null,
          publicKey: publicKey || null,
          ownerEmail: ownerEmail || null,
        };
        const done = await create.run({ input, ...why });
        if (done) onIssued({ ...done.createAgentKey, byOwner: ownerEmail !== '' });
      }}
      onClose={onClose}
    >
      <TextInput
        label="Label"
        description="Shown to operators"
        value={label}
        onChange={({ currentTarget: { value } }) => {
          setLabel(value);
        }}
        data-autofocus
        required
      />
      <MultiSelect
        label="Accounts"
        description="It reports movements on these accounts"
        data={accounts.map(({ id, name, currencyCode }) => ({
          value: id,
          label: `${name} (${currencyCode})`,
        }))}
        value={accountIds}
        onChange={setAccountIds}
        required
      />
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          label="Limit per bank credit"
          placeholder={strict ? undefined : 'No limit'}
          required={strict}
          inputMode="decimal"
          value={maxTransferAmount}
          onChange={({ currentTarget: { value } }) => {
            setTransfer(value.trim());
          }}
        />
        <TextInput
          label="Limit per 24 hours"
          placeholder={strict ? undefined : 'No limit'}
          required={strict}
          inputMode="decimal"
          value={maxDailyAmount}
          onChange={({ currentTarget: { value } }) => {
            setDaily(value.trim());
          }}
        />
      </SimpleGrid>
      <TextInput
        label="Owner's mail address"
        description="Gets a link, once, to enrol the agent's public key; no operator's address"
        type="email"
        value={ownerEmail}
        required={strict}
        onChange={({ currentTarget: { value } }) => {
          setOwnerEmail(value.trim());
        }}
      />
      {!strict && (
        <TextInput
          label="Public key"
          description="Ed25519, if no owner enrols one; neither: a secret is made and shown once"
          value={publicKey}
          disabled={ownerEmail !== ''}
          onChange={({ currentTarget: { value } }) => {
            setPublicKey(value.trim());
          }}
        />
      )}
    </ProposeDialog>
  );
}
