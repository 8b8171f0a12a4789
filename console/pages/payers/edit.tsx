import { Button, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LIMITS } from '../../../domain/limits';
import { useAction } from '../../client/action';
import { decimalsOf, plainMoney } from '../../format/money';
import {
  type PayerComparison,
  type PayerRulesRowFragment,
  PutPayerRulesDocument,
  type VelocityRuleInput,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { BY_WORDS, choicesOf, COMPARISON_WORDS, COUNT_WORDS, OUTCOME_WORDS } from './words';

const NUMBER = /^\d+(\.\d+)?$/;
const NEW_COUNT: VelocityRuleInput = {
  by: 'USER',
  counts: 'ATTEMPTS',
  minutes: 60,
  above: '5',
  outcome: 'WATCH',
};

const draftOf = (rules: PayerRulesRowFragment | undefined): readonly VelocityRuleInput[] =>
  (rules?.velocity ?? []).map(({ by, counts, minutes, above, outcome }) => ({
    by,
    counts,
    minutes,
    outcome,
    above: plainMoney(above, counts === 'AMOUNT' ? decimalsOf(rules?.currencyCode ?? '') : 0),
  }));

/** A count as one line of the form. */
function CountFields({
  count,
  place,
  onChange,
  onRemove,
}: {
  count: VelocityRuleInput;
  place: number;
  onChange: (count: VelocityRuleInput) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <fieldset className="rule">
      <legend>Count {place}</legend>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label="What"
          data={choicesOf(COUNT_WORDS)}
          value={count.counts}
          allowDeselect={false}
          onChange={(counts) => {
            if (counts !== null) onChange({ ...count, counts });
          }}
        />
        <Select
          label="Of"
          data={choicesOf(BY_WORDS)}
          value={count.by}
          allowDeselect={false}
          onChange={(by) => {
            if (by !== null) onChange({ ...count, by });
          }}
        />
        <TextInput
          label="More than"
          inputMode="decimal"
          error={!NUMBER.test(count.above) && 'No number'}
          value={count.above}
          onChange={({ currentTarget: { value } }) => {
            onChange({ ...count, above: value.trim() });
          }}
        />
        <NumberInput
          label="Within"
          suffix=" minutes"
          min={LIMITS.velocityMinutes.min}
          max={LIMITS.velocityMinutes.max}
          allowDecimal={false}
          value={count.minutes}
          onChange={(value) => {
            if (typeof value === 'number') onChange({ ...count, minutes: value });
          }}
        />
        <Select
          label="Then"
          data={choicesOf(OUTCOME_WORDS)}
          value={count.outcome}
          allowDeselect={false}
          onChange={(outcome) => {
            if (outcome !== null) onChange({ ...count, outcome });
          }}
        />
        <Button variant="subtle" onClick={onRemove} style={{ alignSelf: 'end' }}>
          Remove count {place}
        </Button>
      </SimpleGrid>
    </fieldset>
  );
}

/** Proposes a new version of the rules, which replaces the whole set. */
export function EditPayerRules({
  rules,
  current,
  merchants,
  currencies,
  onClose,
}: {
  /** The version in force; absent for a new set. */
  rules?: PayerRulesRowFragment | undefined;
  /** All sets in force. */
  current: readonly PayerRulesRowFragment[];
  merchants: readonly { readonly id: string; readonly merchantCode: string }[];
  currencies: readonly string[];
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutPayerRulesDocument);
  const [merchantId, setMerchant] = useState<string | null>(rules?.merchantId ?? null);
  const [currencyCode, setCurrency] = useState(rules?.currencyCode ?? '');
  const [comparison, setComparison] = useState<PayerComparison>(rules?.comparison ?? 'IGNORE');
  const [velocity, setVelocity] = useState(() => draftOf(rules));
  const replaced = current.find((one) => one.merchantId === merchantId && one.currencyCode === currencyCode);
  return (
    <ProposeDialog
      title={rules ? `New version, after ${String(rules.version)}` : 'New rules'}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={currencyCode !== '' && velocity.every(({ above }) => NUMBER.test(above))}
      onPropose={async (why) => {
        const input = { comparison, velocity: [...velocity] };
        const done = await put.run({ merchantId, currencyCode, rules: input, ...why });
        if (!done) return;
        notifyProposed(done.putPayerRules.change);
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
        <Select
          label="Money of another payer than announced"
          data={choicesOf(COMPARISON_WORDS)}
          value={comparison}
          allowDeselect={false}
          onChange={(chosen) => {
            if (chosen !== null) setComparison(chosen);
          }}
        />
      </SimpleGrid>
      {velocity.map((count, at) => (
        <CountFields
          // A count is its place in the list.
          key={at}
          count={count}
          place={at + 1}
          onChange={(changed) => {
            setVelocity((all) => all.map((one, i) => (i === at ? changed : one)));
          }}
          onRemove={() => {
            setVelocity((all) => all.filter((_one, i) => i !== at));
          }}
        />
      ))}
      {velocity.length < LIMITS.velocityRules && (
        <Button
          variant="default"
          onClick={() => {
            setVelocity((all) => [...all, NEW_COUNT]);
          }}
        >
          Add a count
        </Button>
      )}
    </ProposeDialog>
  );
}
