import { Button, Group, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { isZero } from '../../format/money';
import { AdjustBalanceDocument, type MerchantQuery, TopUpBalanceDocument } from '../../generated/operations';
import { Money } from '../../parts/money';
import { Section } from '../../parts/page';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';

type Balance = NonNullable<MerchantQuery['merchant']>['balances'][number];

const COLUMNS: readonly Column<Balance>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  {
    key: 'available',
    title: 'Available',
    numeric: true,
    cell: ({ available, currencyCode }) => <Money amount={available} currency={currencyCode} />,
  },
  {
    key: 'frozen',
    title: 'Frozen',
    numeric: true,
    cell: ({ frozen, currencyCode }) => <Money amount={frozen} currency={currencyCode} />,
  },
  {
    key: 'total',
    title: 'Total',
    numeric: true,
    cell: ({ total, currencyCode }) => <Money amount={total} currency={currencyCode} />,
  },
  {
    key: 'held',
    title: 'Held (part of frozen)',
    numeric: true,
    cell: ({ held, nextReleaseAt, currencyCode }) =>
      isZero(held) ? (
        <span className="dim">–</span>
      ) : (
        <>
          <Money amount={held} currency={currencyCode} />
          {nextReleaseAt !== null && (
            <>
              , next <Time at={nextReleaseAt} distance />
            </>
          )}
        </>
      ),
  },
  {
    key: 'receivable',
    title: 'Owed to us',
    numeric: true,
    cell: ({ receivable, currencyCode }) =>
      isZero(receivable) ? <span className="dim">–</span> : <Money amount={receivable} currency={currencyCode} />,
  },
  { key: 'updatedAt', title: 'Last posting', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

const KINDS = {
  topUp: {
    title: 'Top up',
    effect: 'Adds money that the merchant prepaid outside the managed accounts.',
    amount: /^\d+(\.\d+)?$/,
    hint: 'Greater than zero',
  },
  adjust: {
    title: 'Adjust',
    effect: 'Corrects the balance up or down, but never below zero.',
    amount: /^-?\d+(\.\d+)?$/,
    hint: 'Enter a negative amount to subtract',
  },
} as const;

function Post({
  merchantId,
  kind,
  currencies,
  onClose,
}: {
  merchantId: string;
  kind: keyof typeof KINDS;
  currencies: readonly string[];
  onClose: () => void;
}): ReactNode {
  const { title, effect, amount: pattern, hint } = KINDS[kind];
  const topUp = useAction(TopUpBalanceDocument);
  const adjust = useAction(AdjustBalanceDocument);
  const idempotencyKey = useIdempotencyKey();
  const [currencyCode, setCurrency] = useState(currencies[0] ?? '');
  const [amount, setAmount] = useState('');
  return (
    <ProposeDialog
      title={title}
      needsEvidence
      busy={topUp.busy || adjust.busy}
      failure={topUp.failure ?? adjust.failure}
      ready={pattern.test(amount) && currencyCode !== ''}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence) return;
        const money = { merchantId, currencyCode, amount, reason, evidence, idempotencyKey };
        const change =
          kind === 'topUp'
            ? (await topUp.run(money))?.topUpBalance.change
            : (await adjust.run(money))?.adjustBalance.change;
        if (!change) return;
        notifyProposed(change);
        onClose();
      }}
      onClose={onClose}
    >
      {effect}
      <Group grow align="flex-start">
        <TextInput
          label="Amount"
          description={hint}
          inputMode="decimal"
          value={amount}
          onChange={({ currentTarget: { value } }) => {
            setAmount(value.trim());
          }}
          data-autofocus
          required
        />
        <Select
          label="Currency"
          description="Balance"
          data={[...currencies]}
          value={currencyCode}
          allowDeselect={false}
          onChange={(code) => {
            setCurrency(code ?? '');
          }}
        />
      </Group>
    </ProposeDialog>
  );
}

/** A merchant's balances. */
export function Balances({ merchantId, balances }: { merchantId: string; balances: readonly Balance[] }): ReactNode {
  const { me } = useSession();
  const [kind, setKind] = useState<keyof typeof KINDS | null>(null);
  const button = (which: keyof typeof KINDS): ReactNode => (
    <Button
      variant="default"
      onClick={() => {
        setKind(which);
      }}
    >
      {KINDS[which].title}
    </Button>
  );
  return (
    <Section
      title="Balances"
      flush
      actions={
        may(me, 'TREASURER') && (
          <Group gap="xs">
            {button('topUp')}
            {button('adjust')}
          </Group>
        )
      }
    >
      {balances.length === 0 ? (
        <Empty icon="ledger" title="No balance">
          Add a currency to the merchant first.
        </Empty>
      ) : (
        <Rows label="Balances" columns={COLUMNS} rows={balances} keyOf={({ id }) => id} />
      )}
      {kind && (
        <Post
          merchantId={merchantId}
          kind={kind}
          currencies={balances.map(({ currencyCode }) => currencyCode)}
          onClose={() => {
            setKind(null);
          }}
        />
      )}
    </Section>
  );
}
