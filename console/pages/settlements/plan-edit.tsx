import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { failureOf } from '../../client/failure';
import {
  CalendarsDocument,
  type MerchantSettingsFragment,
  PutSettlementPlanDocument,
  SettlementAccountsDocument,
  SettlementPlanDatesDocument,
} from '../../generated/operations';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { FailureLine } from '../../parts/states';
import {
  daysOfDraft,
  inputOfDraft,
  type PlanDraft,
  SHIFT_WORDS,
  TIMES,
  TRIGGER_WORDS,
  WEEKDAY_WORDS,
} from './plan-draft';

const choices = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** "Mon 2027-03-01" */
const shownDay = (day: string): string =>
  `${new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' })} ${day}`;

/** The next dates by the draft, in the merchant's zone. */
function NextDates({
  merchantId,
  timeZone,
  draft,
}: {
  merchantId: string;
  timeZone: string;
  draft: PlanDraft;
}): ReactNode {
  const days = daysOfDraft(draft);
  const pause = days === null || draft.trigger === 'THRESHOLD';
  const [{ data, error }] = useQuery({
    query: SettlementPlanDatesDocument,
    variables: { merchantId, days: days ?? { trigger: draft.trigger }, count: 10 },
    pause,
  });
  if (draft.trigger === 'THRESHOLD')
    return <p className="dim">Checked each quarter of an hour on business days; one settlement a day at most.</p>;
  if (pause) return <p className="dim">Choose the days to see the next dates.</p>;
  if (error) return <FailureLine failure={failureOf(error)} />;
  const dates = data?.settlementPlanDates ?? [];
  return (
    <div>
      <p className="dim">The next ten dates, {timeZone}</p>
      <ol aria-label="The next ten dates">
        {dates.map(({ day, dates: of }) => {
          const moved = of.filter((one) => one !== day);
          return (
            <li key={day}>
              {shownDay(day)} at {draft.time}
              {moved.length > 0 && <span className="dim"> · for {moved.map(shownDay).join(', ')}</span>}
            </li>
          );
        })}
      </ol>
      {dates.length === 0 && <p className="note warn">No date: every day is off.</p>}
    </div>
  );
}

const AMOUNTS = [
  ['keep', 'Keep', 'Stays in the balance; empty: nothing'],
  ['minimum', 'Least', 'Less is not settled; empty: any amount is'],
  [
    'approvedUpTo',
    'Without a further person up to',
    "The plan's approval also approves these; empty: each waits for a person",
  ],
] as const;

/** Proposes the next version of a settlement plan. */
export function EditPlan({
  merchant,
  timeZone,
  begun,
  onClose,
}: {
  merchant: MerchantSettingsFragment;
  timeZone: string;
  begun: { readonly draft: PlanDraft; readonly isNew: boolean };
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutSettlementPlanDocument);
  const [draft, setDraft] = useState(begun.draft);
  const change = (fields: Partial<PlanDraft>): void => {
    setDraft((now) => ({ ...now, ...fields }));
  };
  const [{ data: calendars }] = useQuery({ query: CalendarsDocument });
  const { currencyCode, trigger } = draft;
  const filter = { merchantId: [merchant.id], currencyCode: [currencyCode], disabled: false };
  const [{ data: known }] = useQuery({
    query: SettlementAccountsDocument,
    variables: { first: 100, filter },
  });
  const accounts = known?.settlementAccounts.nodes ?? [];
  const input = inputOfDraft(merchant.id, draft);
  return (
    <ProposeDialog
      title={`Settlement plan of ${merchant.name}`}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={input !== null}
      onPropose={async (why) => {
        if (input === null) return;
        const done = await put.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.putSettlementPlan.change);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        It settles the available balance above the amount to keep, once the cooling period after its approval has ended.
      </p>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Currency"
          data={merchant.currencies.map((one) => one.currencyCode)}
          value={currencyCode}
          allowDeselect={false}
          disabled={!begun.isNew}
          onChange={(value) => {
            if (value !== null) change({ currencyCode: value, accountId: null });
          }}
        />
        <Select
          label="To"
          placeholder={accounts.length === 0 ? 'No settlement account' : 'Choose'}
          data={accounts.map(({ id, bankCode, accountNo }) => ({
            value: id,
            label: `${bankCode} ${accountNo}`,
          }))}
          value={draft.accountId}
          allowDeselect={false}
          onChange={(accountId) => {
            change({ accountId });
          }}
          required
        />
        <Select
          label="When"
          data={choices(TRIGGER_WORDS)}
          value={trigger}
          allowDeselect={false}
          onChange={(value) => {
            if (value !== null) change({ trigger: value as PlanDraft['trigger'] });
          }}
        />
        {trigger === 'THRESHOLD' ? (
          <TextInput
            label="Amount available"
            inputMode="decimal"
            value={draft.threshold}
            onChange={({ currentTarget: { value } }) => {
              change({ threshold: value.trim() });
            }}
            required
          />
        ) : (
          <Select
            label="At"
            description={`Local time, ${timeZone}`}
            data={[...TIMES]}
            value={draft.time}
            allowDeselect={false}
            searchable
            onChange={(time) => {
              if (time !== null) change({ time });
            }}
          />
        )}
        {trigger === 'WEEKDAYS' && (
          <MultiSelect
            label="Days of the week"
            data={WEEKDAY_WORDS.map((label, at) => ({ value: String(at + 1), label }))}
            value={[...draft.weekdays]}
            onChange={(weekdays) => {
              change({ weekdays });
            }}
            required
          />
        )}
        {trigger === 'MONTH_DAYS' && (
          <TextInput
            label="Days of the month"
            description="Such as 1, 15, 31: a day that a month lacks is its last"
            value={draft.monthDays}
            onChange={({ currentTarget: { value } }) => {
              change({ monthDays: value });
            }}
            required
          />
        )}
        <Select
          label="Calendar"
          placeholder="Every day is a business day"
          data={(calendars?.calendars ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.calendarId}
          clearable
          onChange={(calendarId) => {
            change({ calendarId });
          }}
        />
        {trigger !== 'THRESHOLD' && (
          <Select
            label="On a day off"
            data={choices(SHIFT_WORDS)}
            value={draft.shift}
            allowDeselect={false}
            disabled={draft.calendarId === null}
            onChange={(value) => {
              if (value === 'NEXT' || value === 'PREVIOUS') change({ shift: value });
            }}
          />
        )}
        {AMOUNTS.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            inputMode="decimal"
            value={draft[name]}
            onChange={({ currentTarget: { value } }) => {
              change({ [name]: value.trim() });
            }}
          />
        ))}
      </SimpleGrid>
      <NextDates merchantId={merchant.id} timeZone={timeZone} draft={draft} />
    </ProposeDialog>
  );
}
