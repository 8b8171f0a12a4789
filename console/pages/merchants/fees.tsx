import { Button, Group, Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { failureOf } from '../../client/failure';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  FeeChannelsDocument,
  FeeQuoteDocument,
  type FeeScheduleRowFragment,
  FeeSchedulesDocument,
  type MerchantSettingsFragment,
  PutFeeScheduleDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Section } from '../../parts/page';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Empty, FailureLine } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { draftOf, type FeeDraft, isAmount, newDraft, termsOf } from './fee-draft';

const ORDERS = { DEPOSIT: 'Deposits', WITHDRAWAL: 'Withdrawals' } as const;

/** "THB Deposits through Alpha" */
const ordersOf = ({ currencyCode, orderKind, channel, walletKind }: FeeScheduleRowFragment): string =>
  [
    `${currencyCode} ${ORDERS[orderKind].toLowerCase()}`,
    channel ? `through ${channel.name}` : null,
    walletKind ? `by ${walletKind}` : null,
  ]
    .filter((part) => part !== null)
    .join(' ');

const COLUMNS: readonly Column<FeeScheduleRowFragment>[] = [
  { key: 'orders', title: 'Orders', cell: ordersOf },
  { key: 'rates', title: 'Fee', cell: ({ words }) => words },
  { key: 'from', title: 'From', cell: ({ effectiveFrom }) => <Time at={effectiveFrom} /> },
  { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => String(version) },
  { key: 'state', title: 'In force', cell: ({ inForce }) => (inForce ? 'Yes' : 'No') },
];

/** The price of an order by the draft, as text. */
function Calculator({ merchantId, draft }: { merchantId: string; draft: FeeDraft }): ReactNode {
  const [amount, setAmount] = useState('');
  const [volume, setVolume] = useState('');
  const byVolume = draft.tierBy === 'MONTH_VOLUME';
  const terms = draft.ends ? null : termsOf(draft);
  const [{ data, error, fetching }] = useQuery({
    query: FeeQuoteDocument,
    variables: {
      input: {
        merchantId,
        currencyCode: draft.currencyCode,
        orderKind: draft.orderKind,
        amount,
        channelId: draft.channelId,
        draft: terms,
        monthVolume: byVolume && volume !== '' ? volume : null,
      },
    },
    pause: terms === null || !isAmount(amount) || (volume !== '' && !isAmount(volume)),
  });
  const shown = terms !== null && isAmount(amount);
  return (
    <>
      <Group grow align="flex-end">
        <TextInput
          label="Try an amount"
          description="What an order of this amount would cost by these rates"
          inputMode="decimal"
          value={amount}
          onChange={({ currentTarget: { value } }) => {
            setAmount(value.trim());
          }}
        />
        {byVolume && (
          <TextInput
            label="Completed in the month"
            description="Empty: what has been completed until now"
            inputMode="decimal"
            value={volume}
            onChange={({ currentTarget: { value } }) => {
              setVolume(value.trim());
            }}
          />
        )}
      </Group>
      {shown && error && !fetching && <FailureLine failure={failureOf(error)} />}
      {shown && data?.feeQuote && !error && (
        <ul aria-label="Calculation of the fee">
          {data.feeQuote.words.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const RATES = [
  ['percent', 'Percent'],
  ['fixed', 'Fixed part'],
  ['minimum', 'At least'],
  ['maximum', 'At most'],
] as const;

function EditSchedule({
  merchant,
  begun,
  onClose,
}: {
  merchant: MerchantSettingsFragment;
  begun: { readonly draft: FeeDraft; readonly isNew: boolean };
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutFeeScheduleDocument);
  const [draft, setDraft] = useState(begun.draft);
  const { currencyCode, orderKind } = draft;
  const [{ data }] = useQuery({ query: FeeChannelsDocument });
  const channels = (data?.channels.nodes ?? []).filter(({ deposits }) => deposits.currencies.includes(currencyCode));
  const change = (fields: Partial<FeeDraft>): void => {
    setDraft((now) => ({ ...now, ...fields }));
  };
  const narrowable = begun.isNew && orderKind === 'DEPOSIT';
  const terms = termsOf(draft);
  const begins = new Date(draft.begins);
  return (
    <ProposeDialog
      title={begun.isNew ? `New fee schedule of ${merchant.name}` : `Fees of ${merchant.name}`}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={terms !== null && (draft.begins === '' || !Number.isNaN(begins.getTime()))}
      onPropose={async (why) => {
        const input = {
          merchantId: merchant.id,
          currencyCode,
          orderKind,
          ends: draft.ends,
          channelId: draft.channelId,
          walletKind: draft.walletKind,
          effectiveFrom: draft.begins === '' ? null : begins.toISOString(),
          ...terms,
        };
        const done = await put.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.putFeeSchedule.change);
        onClose();
      }}
      onClose={onClose}
    >
      <Group grow>
        <Select
          label="Currency"
          data={merchant.currencies.map((one) => one.currencyCode)}
          value={currencyCode}
          allowDeselect={false}
          disabled={!begun.isNew}
          onChange={(value) => {
            if (value !== null) change({ currencyCode: value, channelId: null, walletKind: null });
          }}
        />
        <Select
          label="Orders"
          data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
          value={orderKind}
          allowDeselect={false}
          disabled={!begun.isNew}
          onChange={(value) => {
            if (value === 'DEPOSIT' || value === 'WITHDRAWAL')
              change({ orderKind: value, channelId: null, walletKind: null });
          }}
        />
        <Select
          label="Through"
          placeholder="All ways"
          data={channels.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.channelId}
          clearable
          disabled={!narrowable || draft.walletKind !== null}
          onChange={(channelId) => {
            change({ channelId });
          }}
        />
        {currencyCode === 'BDT' && (
          <Select
            label="Wallet"
            placeholder="All"
            data={['BKASH', 'NAGAD']}
            value={draft.walletKind}
            clearable
            disabled={!narrowable || draft.channelId !== null}
            onChange={(walletKind) => {
              change({ walletKind: walletKind });
            }}
          />
        )}
      </Group>
      <SimpleGrid cols={4} spacing="sm">
        {RATES.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            value={draft[name]}
            onChange={({ currentTarget: { value } }) => {
              change({ [name]: value.trim() });
            }}
            required={name === 'percent' || name === 'fixed'}
          />
        ))}
      </SimpleGrid>
      <Group grow align="flex-start">
        <Textarea
          label="Tiers"
          description="One per line: from, percent, fixed part"
          className="mono"
          autosize
          minRows={2}
          value={draft.tiers}
          onChange={({ currentTarget: { value } }) => {
            change({ tiers: value });
          }}
        />
        <Select
          label="A tier begins at"
          data={[
            { value: 'AMOUNT', label: 'an amount of the order' },
            { value: 'MONTH_VOLUME', label: 'what was completed in the month' },
          ]}
          value={draft.tierBy}
          allowDeselect={false}
          onChange={(value) => {
            if (value === 'AMOUNT' || value === 'MONTH_VOLUME') change({ tierBy: value });
          }}
        />
        <Select
          label="A tier is for"
          data={[
            { value: 'WHOLE', label: 'all of the amount' },
            { value: 'SLICES', label: 'what is above its beginning' },
          ]}
          value={draft.tierMode}
          allowDeselect={false}
          onChange={(value) => {
            if (value === 'WHOLE' || value === 'SLICES') change({ tierMode: value });
          }}
        />
      </Group>
      <Group grow align="flex-end">
        <TextInput
          label="From"
          description="Empty: once it is approved"
          type="datetime-local"
          value={draft.begins}
          onChange={({ currentTarget: { value } }) => {
            change({ begins: value });
          }}
        />
        <Switch
          label="End the schedule: charge the currency's fee"
          checked={draft.ends}
          disabled={begun.isNew}
          onChange={({ currentTarget: { checked } }) => {
            change({ ends: checked });
          }}
        />
      </Group>
      <Calculator merchantId={merchant.id} draft={draft} />
    </ProposeDialog>
  );
}

/** The dated fees of a merchant, and the calculator beside each. */
export function FeeSchedules({ merchant }: { merchant: MerchantSettingsFragment }): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({
    query: FeeSchedulesDocument,
    variables: { merchantId: merchant.id },
  });
  const [editing, setEditing] = useState<{ draft: FeeDraft; isNew: boolean } | null>(null);
  const [first] = merchant.currencies;
  const again = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  return (
    <Section
      title="Fee schedules"
      flush
      actions={
        may(me, 'CONFIGURE') &&
        first && (
          <Button
            variant="default"
            onClick={() => {
              setEditing({ draft: newDraft(first.currencyCode), isNew: true });
            }}
          >
            New fee schedule
          </Button>
        )
      }
    >
      <Answer asked={asked} retry={again}>
        {({ merchant: found }) =>
          !found || found.feeSchedules.length === 0 ? (
            <Empty icon="search" title="No fee schedules">
              The fees of the currencies apply.
            </Empty>
          ) : (
            <Rows
              label="Fee schedules"
              columns={COLUMNS}
              rows={found.feeSchedules}
              keyOf={({ id }) => id}
              actions={(row) =>
                may(me, 'CONFIGURE') && (
                  <Button
                    variant="subtle"
                    aria-label={`Change ${ordersOf(row)}, version ${String(row.version)}`}
                    onClick={() => {
                      setEditing({ draft: draftOf(row), isNew: false });
                    }}
                  >
                    Change
                  </Button>
                )
              }
            />
          )
        }
      </Answer>
      {editing && (
        <EditSchedule
          merchant={merchant}
          begun={editing}
          onClose={() => {
            setEditing(null);
            again();
          }}
        />
      )}
    </Section>
  );
}
