import { NumberInput, Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { environment } from '../../client/page-settings';
import {
  type MerchantSettingsFragment,
  type MerchantSettingsInput,
  PoolNamesDocument,
  UpdateMerchantDocument,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

const NUMBERS = [
  ['depositExpireMinutes', 'Deposits expire after', 'minutes'],
  ['holdDays', 'Hold period', 'days'],
  ['callbackTimeoutSeconds', 'Callback timeout', 'seconds'],
  ['maxOpenDeposits', 'Maximum open deposits', ''],
  ['maxOpenDepositsPerUser', 'Maximum open deposits per user_id', ''],
] as const;
const SWITCHES = [
  ['enabled', 'Enabled'],
  ['canDeposit', 'May create deposits'],
  ['canWithdraw', 'May create withdrawals'],
  ['hideCosts', 'Hide costs and profits from it'],
  ['notifyDepositMatched', 'Callback for matched deposits'],
  ['notifyDepositExpired', 'Callback for expired deposits'],
  ['notifyDepositCancelled', 'Callback for cancelled deposits'],
  ['webhookSslVerify', 'Verify certificates of callbacks (sandbox)'],
  ['allowInsecureCallbacks', 'Callbacks to http and loopback (sandbox)'],
] as const;

/** In production these have fixed values. */
const OF_SANDBOXES: ReadonlySet<string> = new Set(['webhookSslVerify', 'allowInsecureCallbacks']);

interface Draft {
  readonly timeZone: string;
  readonly defaultCallbackUrl: string;
  readonly callbackHosts: readonly string[];
  readonly allowedAddresses: readonly string[];
  readonly numbers: Readonly<Record<(typeof NUMBERS)[number][0], number>>;
  readonly switches: Readonly<Record<(typeof SWITCHES)[number][0], boolean>>;
}

function draftOf(merchant: MerchantSettingsFragment): Draft {
  const { timeZone, defaultCallbackUrl, callbackHosts, allowedAddresses } = merchant;
  return {
    timeZone,
    defaultCallbackUrl: defaultCallbackUrl ?? '',
    callbackHosts: callbackHosts ?? [],
    allowedAddresses: allowedAddresses ?? [],
    numbers: merchant,
    switches: merchant,
  };
}

/** The changed settings; unchanged ones are left out. */
function changesOf(merchant: MerchantSettingsFragment, draft: Draft): MerchantSettingsInput {
  const before = draftOf(merchant);
  const changes: Record<string, unknown> = {};
  for (const [name] of NUMBERS) if (draft.numbers[name] !== before.numbers[name]) changes[name] = draft.numbers[name];
  for (const [name] of SWITCHES)
    if (draft.switches[name] !== before.switches[name]) changes[name] = draft.switches[name];
  if (draft.timeZone !== '' && draft.timeZone !== before.timeZone) changes['timeZone'] = draft.timeZone;
  if (draft.defaultCallbackUrl !== before.defaultCallbackUrl) changes['defaultCallbackUrl'] = draft.defaultCallbackUrl;
  if (draft.callbackHosts.join() !== before.callbackHosts.join()) changes['callbackHosts'] = draft.callbackHosts;
  if (draft.allowedAddresses.join() !== before.allowedAddresses.join())
    changes['allowedAddresses'] = draft.allowedAddresses;
  return changes;
}

/** Proposes a change of a merchant's settings. */
export function EditSettings({
  merchant,
  onClose,
}: {
  merchant: MerchantSettingsFragment;
  onClose: () => void;
}): ReactNode {
  const update = useAction(UpdateMerchantDocument);
  const [draft, setDraft] = useState(() => draftOf(merchant));
  const settings = changesOf(merchant, draft);
  return (
    <ProposeDialog
      title={`Settings of ${merchant.name}`}
      wide
      busy={update.busy}
      failure={update.failure}
      ready={Object.keys(settings).length > 0}
      onPropose={async (why) => {
        const done = await update.run({ id: merchant.id, settings, ...why });
        if (!done) return;
        notifyProposed(done.updateMerchant.change);
        onClose();
      }}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {SWITCHES.filter(([name]) => !OF_SANDBOXES.has(name) || environment() === 'sandbox').map(([name, label]) => (
          <Switch
            key={name}
            label={label}
            checked={draft.switches[name]}
            onChange={({ currentTarget: { checked } }) => {
              setDraft((now) => ({ ...now, switches: { ...now.switches, [name]: checked } }));
            }}
          />
        ))}
        {NUMBERS.map(([name, label, unit]) => (
          <NumberInput
            key={name}
            label={label}
            suffix={unit === '' ? undefined : ` ${unit}`}
            min={name === 'holdDays' ? 0 : 1}
            allowDecimal={false}
            value={draft.numbers[name]}
            onChange={(value) => {
              if (typeof value === 'number')
                setDraft((now) => ({ ...now, numbers: { ...now.numbers, [name]: value } }));
            }}
          />
        ))}
      </SimpleGrid>
      <TextInput
        label="Time zone"
        description="Days of holds and of withdrawals' counts begin at its midnight"
        value={draft.timeZone}
        onChange={({ currentTarget: { value } }) => {
          setDraft((now) => ({ ...now, timeZone: value.trim() }));
        }}
      />
      <TextInput
        label="Default callback URL"
        description="Used for orders that name none. Leave empty for none."
        value={draft.defaultCallbackUrl}
        onChange={({ currentTarget: { value } }) => {
          setDraft((now) => ({ ...now, defaultCallbackUrl: value.trim() }));
        }}
      />
      <TagsInput
        label="Callback hosts"
        description="If set, callbacks may go only to these hosts. Press Enter after each."
        value={[...draft.callbackHosts]}
        onChange={(callbackHosts) => {
          setDraft((now) => ({ ...now, callbackHosts }));
        }}
      />
      <TagsInput
        label="Source addresses"
        description="If set, only requests from these addresses and networks are accepted. Press Enter after each."
        value={[...draft.allowedAddresses]}
        onChange={(allowedAddresses) => {
          setDraft((now) => ({ ...now, allowedAddresses }));
        }}
      />
    </ProposeDialog>
  );
}

/** The numbers of a currency's form; "" is none. */
const PRICES = [
  ['depositPercent', 'Deposit fee, percent'],
  ['depositFixed', 'Deposit fee, fixed'],
  ['depositMin', 'Least deposit'],
  ['depositMax', 'Greatest deposit'],
  ['withdrawalPercent', 'Withdrawal fee, percent'],
  ['withdrawalFixed', 'Withdrawal fee, fixed'],
  ['withdrawalMin', 'Least withdrawal'],
  ['withdrawalMax', 'Greatest withdrawal'],
] as const;
type Prices = Readonly<Record<(typeof PRICES)[number][0], string>>;
const FEES: ReadonlySet<string> = new Set(['depositPercent', 'depositFixed', 'withdrawalPercent', 'withdrawalFixed']);

const pricesOf = (currency: MerchantSettingsFragment['currencies'][number] | undefined): Prices => ({
  depositPercent: currency?.depositFee.percent ?? '0',
  depositFixed: currency?.depositFee.fixed ?? '0',
  depositMin: currency?.depositMin ?? '',
  depositMax: currency?.depositMax ?? '',
  withdrawalPercent: currency?.withdrawalFee.percent ?? '0',
  withdrawalFixed: currency?.withdrawalFee.fixed ?? '0',
  withdrawalMin: currency?.withdrawalMin ?? '',
  withdrawalMax: currency?.withdrawalMax ?? '',
});

const limitsOf = (min: string, max: string): { min: string | null; max: string | null } => ({
  min: min === '' ? null : min,
  max: max === '' ? null : max,
});

/** Proposes a currency's fees and limits, or a new currency. */
export function EditCurrency({
  merchant,
  currencyCode: chosen,
  onClose,
}: {
  merchant: MerchantSettingsFragment;
  /** Null: a new one. */
  currencyCode: string | null;
  onClose: () => void;
}): ReactNode {
  const update = useAction(UpdateMerchantDocument);
  const current = merchant.currencies.find(({ currencyCode }) => currencyCode === chosen);
  const [code, setCode] = useState(chosen ?? '');
  const [enabled, setEnabled] = useState(current?.enabled ?? true);
  const [prices, setPrices] = useState(() => pricesOf(current));
  const [poolId, setPoolId] = useState(current?.pool?.id ?? '');
  const [prepaid, setPrepaid] = useState(current?.prepaid ?? false);
  const [{ data }] = useQuery({ query: PoolNamesDocument });
  const pools = (data?.pools ?? []).filter(({ currencyCode }) => currencyCode === code);
  return (
    <ProposeDialog
      title={chosen === null ? 'New currency' : `${chosen} of ${merchant.name}`}
      wide
      busy={update.busy}
      failure={update.failure}
      ready={/^[A-Z]{3}$/.test(code) && PRICES.every(([name]) => !FEES.has(name) || prices[name] !== '')}
      onPropose={async (why) => {
        const currency = {
          currencyCode: code,
          enabled,
          poolId,
          prepaid,
          depositFee: { percent: prices.depositPercent, fixed: prices.depositFixed },
          depositLimits: limitsOf(prices.depositMin, prices.depositMax),
          withdrawalFee: { percent: prices.withdrawalPercent, fixed: prices.withdrawalFixed },
          withdrawalLimits: limitsOf(prices.withdrawalMin, prices.withdrawalMax),
        };
        const done = await update.run({ id: merchant.id, currencies: [currency], ...why });
        if (!done) return;
        notifyProposed(done.updateMerchant.change);
        onClose();
      }}
      onClose={onClose}
    >
      {chosen === null && (
        <TextInput
          label="Currency"
          description="ISO 4217"
          value={code}
          onChange={({ currentTarget: { value } }) => {
            setCode(value.trim().toUpperCase());
          }}
          data-autofocus
          required
        />
      )}
      <Switch
        label="Enabled"
        checked={enabled}
        onChange={({ currentTarget: { checked } }) => {
          setEnabled(checked);
        }}
      />
      <Switch
        label="Prepaid deposit fees"
        description="The fee of a deposit is held from the balance when it is created"
        checked={prepaid}
        onChange={({ currentTarget: { checked } }) => {
          setPrepaid(checked);
        }}
      />
      <Select
        label="Pool"
        description="The accounts and channels that its orders use"
        data={[{ value: '', label: 'Default' }, ...pools.map(({ id, name }) => ({ value: id, label: name }))]}
        allowDeselect={false}
        value={poolId}
        onChange={(value) => {
          setPoolId(value ?? '');
        }}
      />
      <SimpleGrid cols={2} spacing="sm">
        {PRICES.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            value={prices[name]}
            onChange={({ currentTarget: { value } }) => {
              setPrices((now) => ({ ...now, [name]: value.trim() }));
            }}
            required={FEES.has(name)}
          />
        ))}
      </SimpleGrid>
    </ProposeDialog>
  );
}
