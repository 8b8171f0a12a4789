import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { decimalsOf, plainMoney } from '../../format/money';
import { PutReviewRulesDocument, type ReviewRowFragment, type ReviewRulesInput } from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

const AMOUNTS = [
  ['autoApproveUpTo', 'Approve automatically up to', 'Leave empty to review every withdrawal'],
  ['allowlistedUpTo', 'Allowlisted: automatically up to', 'Leave empty for no special limit'],
  ['twoPeopleAbove', 'Two approvals above', 'Leave empty for never'],
  ['merchantDayAmount', 'Merchant, amount per day', 'Above this a person must approve'],
  ['beneficiaryDayAmount', 'Beneficiary, amount per day', 'Above this a person must approve'],
] as const;
const COUNTS = [
  ['merchantDayOrders', 'Merchant, withdrawals per day'],
  ['beneficiaryDayOrders', 'Beneficiary, withdrawals per day'],
] as const;
const HOURS = [
  ['from', 'Quiet hours from'],
  ['to', 'Quiet hours until'],
] as const;

const AMOUNT = /^\d+(\.\d+)?$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

interface Draft {
  readonly amounts: Readonly<Record<(typeof AMOUNTS)[number][0], string>>;
  readonly counts: Readonly<Record<(typeof COUNTS)[number][0], number | null>>;
  readonly hours: Readonly<Record<(typeof HOURS)[number][0], string>>;
  /** The time zone of the quiet hours; empty: the merchant's. */
  readonly timeZone: string;
  readonly newBeneficiary: boolean;
  readonly decideWithinMinutes: number;
}

function draftOf(rules: ReviewRowFragment | undefined): Draft {
  const plain = (amount: string | null | undefined): string =>
    amount == null ? '' : plainMoney(amount, decimalsOf(rules?.currencyCode ?? ''));
  return {
    amounts: {
      autoApproveUpTo: plain(rules?.autoApproveUpTo),
      allowlistedUpTo: plain(rules?.allowlistedUpTo),
      twoPeopleAbove: plain(rules?.twoPeopleAbove),
      merchantDayAmount: plain(rules?.merchantDayAmount),
      beneficiaryDayAmount: plain(rules?.beneficiaryDayAmount),
    },
    counts: {
      merchantDayOrders: rules?.merchantDayOrders ?? null,
      beneficiaryDayOrders: rules?.beneficiaryDayOrders ?? null,
    },
    hours: { from: rules?.quietHours?.from ?? '', to: rules?.quietHours?.to ?? '' },
    timeZone: rules?.quietHours?.timeZone ?? '',
    newBeneficiary: rules?.newBeneficiary ?? true,
    decideWithinMinutes: rules?.decideWithinMinutes ?? 60,
  };
}

/** The whole set as the API takes it; an empty field sets no rule. */
const inputOf = ({ amounts, counts, hours, timeZone, ...rest }: Draft): ReviewRulesInput => ({
  ...Object.fromEntries(AMOUNTS.map(([name]) => [name, amounts[name] || null])),
  ...counts,
  ...rest,
  quietHours: hours.from === '' ? null : { ...hours, timeZone: timeZone || null },
});

/** Whether the quiet hours are valid: both times of day, or neither. */
const hoursFit = ({ from, to }: Draft['hours']): boolean =>
  from === '' ? to === '' : TIME.test(from) && TIME.test(to);

/** Proposes a new version of the rules, which replaces the whole set. */
export function EditRules({
  rules,
  current,
  merchants,
  currencies,
  onClose,
}: {
  /** The version in force; absent for a new set. */
  rules?: ReviewRowFragment | undefined;
  /** All sets in force. */
  current: readonly ReviewRowFragment[];
  merchants: readonly { readonly id: string; readonly merchantCode: string }[];
  currencies: readonly string[];
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutReviewRulesDocument);
  const [merchantId, setMerchant] = useState<string | null>(rules?.merchantId ?? null);
  const [currencyCode, setCurrency] = useState(rules?.currencyCode ?? '');
  const [draft, setDraft] = useState(() => draftOf(rules));
  const set = (changes: Partial<Draft>): void => {
    setDraft((now) => ({ ...now, ...changes }));
  };
  const replaced = current.find((one) => one.merchantId === merchantId && one.currencyCode === currencyCode);
  const amountsFit = AMOUNTS.every(([name]) => draft.amounts[name] === '' || AMOUNT.test(draft.amounts[name]));
  return (
    <ProposeDialog
      title={rules ? `New version, after ${String(rules.version)}` : 'New rules'}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={currencyCode !== '' && amountsFit && hoursFit(draft.hours)}
      onPropose={async (why) => {
        const done = await put.run({ merchantId, currencyCode, rules: inputOf(draft), ...why });
        if (!done) return;
        notifyProposed(done.putReviewRules.change);
        onClose();
      }}
      onClose={onClose}
    >
      {!rules && replaced && (
        <p className="note warn">Rules exist already. These would replace version {replaced.version}.</p>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Of"
          placeholder="All merchants without rules of their own"
          clearable
          data={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
          value={merchantId}
          onChange={setMerchant}
          disabled={rules !== undefined}
        />
        <Select
          label="Currency"
          data={[...currencies]}
          value={currencyCode}
          allowDeselect={false}
          onChange={(code) => {
            setCurrency(code ?? '');
          }}
          disabled={rules !== undefined}
          required
        />
        {AMOUNTS.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            placeholder="No rule"
            inputMode="decimal"
            error={draft.amounts[name] !== '' && !AMOUNT.test(draft.amounts[name]) && 'No amount'}
            value={draft.amounts[name]}
            onChange={({ currentTarget: { value } }) => {
              set({ amounts: { ...draft.amounts, [name]: value.trim() } });
            }}
          />
        ))}
        <NumberInput
          label="Decide within"
          description="After this an alert is raised"
          suffix=" minutes"
          min={1}
          max={10_080}
          allowDecimal={false}
          value={draft.decideWithinMinutes}
          onChange={(value) => {
            if (typeof value === 'number') set({ decideWithinMinutes: value });
          }}
        />
        {COUNTS.map(([name, label]) => (
          <NumberInput
            key={name}
            label={label}
            placeholder="No rule"
            min={0}
            allowDecimal={false}
            value={draft.counts[name] ?? ''}
            onChange={(value) => {
              set({ counts: { ...draft.counts, [name]: value === '' ? null : Number(value) } });
            }}
          />
        ))}
        {HOURS.map(([name, label]) => (
          <TextInput
            key={name}
            type="time"
            label={label}
            description="Withdrawals in these hours need a person's approval"
            value={draft.hours[name]}
            onChange={({ currentTarget: { value } }) => {
              set({ hours: { ...draft.hours, [name]: value } });
            }}
          />
        ))}
        <TextInput
          label="Time zone of the quiet hours"
          description="Leave empty for the merchant's"
          placeholder="Asia/Bangkok"
          value={draft.timeZone}
          onChange={({ currentTarget: { value } }) => {
            set({ timeZone: value.trim() });
          }}
        />
      </SimpleGrid>
      <Switch
        label="A new beneficiary needs a person's approval"
        checked={draft.newBeneficiary}
        onChange={({ currentTarget: { checked } }) => {
          set({ newBeneficiary: checked });
        }}
      />
    </ProposeDialog>
  );
}
