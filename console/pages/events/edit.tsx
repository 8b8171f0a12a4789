import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import {
  type ChangeFieldsFragment,
  type EventAddressesRowFragment,
  type PlatformEvent,
  PutEventAddressesDocument,
} from '../../generated/operations';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { choicesOf } from '../payers/words';
import { EVENT_WORDS } from './words';

/** A proposal of addresses; its secret is shown once. */
export interface ProposedAddresses {
  readonly change: ChangeFieldsFragment;
  readonly secret: string;
}

/** Proposes the addresses of an event, which replace its present ones. */
export function EditAddresses({
  row,
  current,
  merchants,
  onProposed,
  onClose,
}: {
  /** The addresses in force; absent if the event has none. */
  row?: EventAddressesRowFragment | undefined;
  /** All addresses in force. */
  current: readonly EventAddressesRowFragment[];
  merchants: readonly { readonly id: string; readonly merchantCode: string }[];
  /** Called with a new secret, if there is one. */
  onProposed: (proposed: ProposedAddresses | null) => void;
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutEventAddressesDocument);
  const [event, setEvent] = useState<PlatformEvent>(row?.event ?? 'billing_statement_issued');
  const [merchant, setMerchant] = useState<string | null>(row?.merchant?.id ?? null);
  const [mails, setMails] = useState<string[]>([...(row?.mails ?? [])]);
  const [webhookUrl, setUrl] = useState(row?.webhookUrl ?? '');
  const [newSecret, setNewSecret] = useState(false);
  const ofMerchant = event !== 'alert_raised';
  const ofOwner = event === 'tenant_owner_invite';
  const merchantId = ofMerchant ? merchant : null;
  const replaced = current.find((one) => one.event === event && (one.merchant?.id ?? null) === merchantId);
  return (
    <ProposeDialog
      title={row ? 'Change addresses' : 'Set addresses'}
      busy={put.busy}
      failure={put.failure}
      ready={!ofMerchant || merchant !== null}
      onPropose={async (why) => {
        const input = {
          event,
          merchantId,
          mails,
          newSecret,
          webhookUrl: ofOwner || webhookUrl.trim() === '' ? null : webhookUrl.trim(),
          allowInsecure: replaced?.allowInsecure ?? false,
        };
        const done = await put.run({ input, ...why });
        if (!done) return;
        const { change, secret } = done.putEventAddresses;
        if (secret === null) notifyProposed(change);
        onProposed(secret === null ? null : { change, secret });
      }}
      onClose={onClose}
    >
      <Select
        label="Event"
        data={choicesOf(EVENT_WORDS).filter(({ value }) => value !== 'agent_invite')}
        value={event}
        allowDeselect={false}
        disabled={row !== undefined}
        onChange={(chosen) => {
          if (chosen !== null) setEvent(chosen);
        }}
      />
      {ofMerchant && (
        <Select
          label="Merchant"
          description={
            ofOwner ? 'Its owner fetches API keys by links to this address' : 'Its statements go to its own addresses'
          }
          data={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
          value={merchant}
          disabled={row !== undefined}
          onChange={setMerchant}
          required
        />
      )}
      {!row && replaced && (
        <p className="note warn">
          It has addresses already: {[...replaced.mails, replaced.webhookUrl ?? ''].join(' ')}. They are replaced.
        </p>
      )}
      <TagsInput
        label="Mail addresses"
        description={ofOwner ? 'One: of the owner' : 'Enter after each; none: no mail'}
        value={mails}
        onChange={setMails}
      />
      {!ofOwner && (
        <TextInput
          label="Webhook"
          description="An HTTPS URL; empty: no request"
          value={webhookUrl}
          onChange={({ currentTarget: { value } }) => {
            setUrl(value);
          }}
        />
      )}
      {row?.webhookUrl != null && row.webhookUrl === webhookUrl.trim() && (
        <Checkbox
          label="Make a new secret"
          checked={newSecret}
          onChange={({ currentTarget: { checked } }) => {
            setNewSecret(checked);
          }}
        />
      )}
    </ProposeDialog>
  );
}
