import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { decimalsOf, formatMoney } from '../../format/money';
import type { MerchantSettingsFragment } from '../../generated/operations';
import { ColourDot } from '../../parts/colour';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { contrastOf, EditAmounts, EditBranding } from './cashier-edit';

type Currency = MerchantSettingsFragment['currencies'][number];

const AMOUNTS: readonly Column<Currency>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  {
    key: 'denominations',
    title: 'Amounts offered',
    cell: ({ currencyCode, cashierAmounts: { denominations } }) =>
      denominations.length === 0 ? (
        <span className="dim">–</span>
      ) : (
        denominations.map((one) => formatMoney(one, decimalsOf(currencyCode))).join(' · ')
      ),
  },
  {
    key: 'custom',
    title: 'Other amounts',
    cell: ({ currencyCode, cashierAmounts: { custom } }) =>
      custom ? (
        <>
          <Money amount={custom.min} currency={currencyCode} /> to <Money amount={custom.max} currency={currencyCode} />
        </>
      ) : (
        <span className="dim">–</span>
      ),
  },
];

function Branding({ merchant }: { merchant: MerchantSettingsFragment }): ReactNode {
  const { me } = useSession();
  const [editing, setEditing] = useState(false);
  const { cashierColour, cashierLogoUrl, cashierName, cashierReturnUrl } = merchant;
  return (
    <Section
      title="Branding"
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            variant="default"
            onClick={() => {
              setEditing(true);
            }}
          >
            Change the branding
          </Button>
        )
      }
    >
      <Facts
        of={[
          ['Name', cashierName ?? `${merchant.name} (the merchant's)`],
          [
            'Logo',
            cashierLogoUrl && (
              <a href={cashierLogoUrl} target="_blank" rel="noreferrer" className="wrap">
                {cashierLogoUrl}
              </a>
            ),
          ],
          [
            'Colour',
            cashierColour && (
              <span className="code-line">
                <ColourDot colour={cashierColour} /> <span className="mono">{cashierColour}</span>
                <span className="dim">{contrastOf(cashierColour)} to white</span>
              </span>
            ),
          ],
          ['Return URL', cashierReturnUrl],
          ['Sessions expire after', `${String(merchant.cashierSessionExpireMinutes)} minutes`],
        ]}
      />
      {editing && (
        <EditBranding
          merchant={merchant}
          onClose={() => {
            setEditing(false);
          }}
        />
      )}
    </Section>
  );
}

/** A merchant's cashier: branding and amounts. */
export function CashierSettings({ merchant }: { merchant: MerchantSettingsFragment }): ReactNode {
  const { me } = useSession();
  const [chosen, setChosen] = useState<Currency | null>(null);
  return (
    <div className="stack">
      <Branding merchant={merchant} />
      <Section title="Amounts" flush>
        {merchant.currencies.length === 0 ? (
          <Empty icon="cashier" title="No currency">
            Add a currency to the merchant first.
          </Empty>
        ) : (
          <Rows
            label="Amounts of the cashier"
            columns={AMOUNTS}
            rows={merchant.currencies}
            keyOf={({ currencyCode }) => currencyCode}
            actions={(currency) =>
              may(me, 'CONFIGURE') && (
                <Button
                  variant="subtle"
                  aria-label={`Change the amounts in ${currency.currencyCode}`}
                  onClick={() => {
                    setChosen(currency);
                  }}
                >
                  Change
                </Button>
              )
            }
          />
        )}
      </Section>
      {chosen && (
        <EditAmounts
          merchant={merchant}
          currency={chosen}
          onClose={() => {
            setChosen(null);
          }}
        />
      )}
    </div>
  );
}
