import { NumberInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { luminance, readableOnWhite } from '../../../domain/cashier';
import { useAction } from '../../client/action';
import { decimalsOf, plainMoney } from '../../format/money';
import {
  type MerchantSettingsFragment,
  type MerchantSettingsInput,
  UpdateMerchantDocument,
} from '../../generated/operations';
import { ColourDot } from '../../parts/colour';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

/** A colour's contrast with white, such as "5.2 : 1"; empty for invalid text. */
export function contrastOf(colour: string): string {
  const light = luminance(colour.toLowerCase());
  // Rounded down, so that an insufficient contrast never looks sufficient.
  return light === undefined ? '' : `${String(Math.floor(10.5 / (light + 0.05)) / 10)} : 1`;
}

const TEXTS = [
  ['cashierName', 'Name', "Leave empty to show the merchant's name."],
  ['cashierLogoUrl', 'Logo', 'The https address of a picture. Leave empty for none.'],
  ['cashierReturnUrl', 'Return URL', 'An https address that the last page links to. Leave empty for none.'],
] as const;

type Text = (typeof TEXTS)[number][0] | 'cashierColour';
type Draft = Readonly<Record<Text, string>> & { readonly cashierSessionExpireMinutes: number };

const draftOf = (merchant: MerchantSettingsFragment): Draft => ({
  cashierName: merchant.cashierName ?? '',
  cashierLogoUrl: merchant.cashierLogoUrl ?? '',
  cashierReturnUrl: merchant.cashierReturnUrl ?? '',
  cashierColour: merchant.cashierColour ?? '',
  cashierSessionExpireMinutes: merchant.cashierSessionExpireMinutes,
});

/** Why a colour is refused; null if it is valid. */
function colourFault(colour: string): string | null {
  if (colour === '' || readableOnWhite(colour.toLowerCase())) return null;
  const contrast = contrastOf(colour);
  return contrast === ''
    ? 'As #rrggbb'
    : `${contrast} contrast with white is too low: 4.5 : 1 is needed. Choose a darker colour.`;
}

/** Proposes a change of the cashier's branding. */
export function EditBranding({
  merchant,
  onClose,
}: {
  merchant: MerchantSettingsFragment;
  onClose: () => void;
}): ReactNode {
  const update = useAction(UpdateMerchantDocument);
  const before = draftOf(merchant);
  const [draft, setDraft] = useState(before);
  const fields = Object.keys(before) as (keyof Draft)[];
  const changed = fields.filter((field) => draft[field] !== before[field]);
  const settings: MerchantSettingsInput = Object.fromEntries(changed.map((field) => [field, draft[field]]));
  const fault = colourFault(draft.cashierColour);
  return (
    <ProposeDialog
      title={`Cashier of ${merchant.name}`}
      wide
      busy={update.busy}
      failure={update.failure}
      ready={changed.length > 0 && fault === null}
      onPropose={async (why) => {
        const done = await update.run({ id: merchant.id, settings, ...why });
        if (!done) return;
        notifyProposed(done.updateMerchant.change);
        onClose();
      }}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {TEXTS.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            value={draft[name]}
            onChange={({ currentTarget: { value } }) => {
              setDraft((now) => ({ ...now, [name]: value }));
            }}
          />
        ))}
        <TextInput
          label="Colour"
          description={
            fault === null && draft.cashierColour !== ''
              ? `${contrastOf(draft.cashierColour)} contrast with white: readable`
              : 'The background of buttons and headings, under white text. Leave empty for the default.'
          }
          error={fault}
          placeholder="#rrggbb"
          leftSection={<ColourDot colour={draft.cashierColour} />}
          value={draft.cashierColour}
          onChange={({ currentTarget: { value } }) => {
            setDraft((now) => ({ ...now, cashierColour: value.trim() }));
          }}
        />
        <NumberInput
          label="Sessions expire after"
          suffix=" minutes"
          min={1}
          max={1440}
          allowDecimal={false}
          value={draft.cashierSessionExpireMinutes}
          onChange={(value) => {
            if (typeof value === 'number') setDraft((now) => ({ ...now, cashierSessionExpireMinutes: value }));
          }}
        />
      </SimpleGrid>
    </ProposeDialog>
  );
}

const AMOUNT = /^\d+(\.\d+)?$/;

/** Proposes the amounts that payers may choose in a currency. */
export function EditAmounts({
  merchant,
  currency: { currencyCode, cashierAmounts },
  onClose,
}: {
  merchant: MerchantSettingsFragment;
  currency: MerchantSettingsFragment['currencies'][number];
  onClose: () => void;
}): ReactNode {
  const update = useAction(UpdateMerchantDocument);
  const plain = (amount: string): string => plainMoney(amount, decimalsOf(currencyCode));
  const [denominations, setDenominations] = useState(cashierAmounts.denominations.map(plain));
  const [min, setMin] = useState(cashierAmounts.custom ? plain(cashierAmounts.custom.min) : '');
  const [max, setMax] = useState(cashierAmounts.custom ? plain(cashierAmounts.custom.max) : '');
  const wrong = denominations.find((one) => !AMOUNT.test(one));
  const rangeFits = min === '' ? max === '' : AMOUNT.test(min) && AMOUNT.test(max);
  return (
    <ProposeDialog
      title={`Cashier of ${merchant.name} in ${currencyCode}`}
      busy={update.busy}
      failure={update.failure}
      ready={wrong === undefined && rangeFits}
      onPropose={async (why) => {
        const amounts = { denominations, customMin: min || null, customMax: max || null };
        const currencies = [{ currencyCode, cashierAmounts: amounts }];
        const done = await update.run({ id: merchant.id, currencies, ...why });
        if (!done) return;
        notifyProposed(done.updateMerchant.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TagsInput
        label="Amounts offered"
        description="Shown in this order. Press Enter after each."
        error={wrong !== undefined && `${wrong} is not an amount`}
        value={denominations}
        onChange={setDenominations}
        maxTags={50}
        data-autofocus
      />
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          label="Other amounts from"
          placeholder="None"
          inputMode="decimal"
          value={min}
          onChange={({ currentTarget: { value } }) => {
            setMin(value.trim());
          }}
        />
        <TextInput
          label="to"
          placeholder="None"
          inputMode="decimal"
          value={max}
          onChange={({ currentTarget: { value } }) => {
            setMax(value.trim());
          }}
        />
      </SimpleGrid>
      {denominations.length === 0 && min === '' && (
        <p className="note warn">Without either, the cashier is closed in {currencyCode}.</p>
      )}
    </ProposeDialog>
  );
}
