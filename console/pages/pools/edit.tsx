import { MultiSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { PoolMembersDocument, type PoolRowFragment, PutPoolDocument } from '../../generated/operations';
import { notifyProposed, ProposeDialog } from '../../parts/propose';

/** Proposes a pool, or another name or content of one. */
export function EditPool({
  pool,
  onClose,
}: {
  /** Null: a new one. */
  pool: PoolRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutPoolDocument);
  const [currencyCode, setCurrency] = useState(pool?.currencyCode ?? '');
  const [name, setName] = useState(pool?.name ?? '');
  const [accountIds, setAccounts] = useState(() => pool?.accounts.map(({ id }) => id) ?? []);
  const [channelIds, setChannels] = useState(() => pool?.channels.map(({ id }) => id) ?? []);
  const isCurrency = /^[A-Z]{3}$/.test(currencyCode);
  const [{ data }] = useQuery({
    query: PoolMembersDocument,
    variables: { currencyCode },
    pause: !isCurrency,
  });
  return (
    <ProposeDialog
      title={pool ? `${pool.name} (${pool.currencyCode})` : 'New pool'}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={isCurrency && name.trim() !== ''}
      onPropose={async (why) => {
        const input = {
          name: name.trim(),
          currencyCode,
          accountIds,
          channelIds,
          id: pool?.id ?? null,
        };
        const done = await put.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.putPool.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
        }}
        required
        data-autofocus
      />
      {!pool && (
        <TextInput
          label="Currency"
          description="ISO 4217"
          value={currencyCode}
          onChange={({ currentTarget: { value } }) => {
            setCurrency(value.trim().toUpperCase());
            setAccounts([]);
            setChannels([]);
          }}
          required
        />
      )}
      <MultiSelect
        label="Accounts"
        description="Merchants of other pools do not use them."
        data={(data?.bankAccounts.nodes ?? []).map(({ id, bankCode, accountNo, name: called }) => ({
          value: id,
          label: `${called}, ${bankCode} ${accountNo}`,
        }))}
        value={accountIds}
        onChange={setAccounts}
        searchable
      />
      <MultiSelect
        label="Channels"
        data={(data?.channels.nodes ?? []).map(({ id, channelCode }) => ({
          value: id,
          label: channelCode,
        }))}
        value={channelIds}
        onChange={setChannels}
        searchable
      />
    </ProposeDialog>
  );
}
