import { Button, Group, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { decimalsOf, formatMoney, sumOf } from '../../format/money';
import { BankTransfersDocument, MerchantChoicesDocument, UnmatchedTransfersDocument } from '../../generated/operations';
import { Money } from '../../parts/money';
import { Payee, type PayeeDraft } from '../../parts/payee';
import type { Transfer } from './shown-transfer';

/** The typed values of an ending. */
export interface Draft extends PayeeDraft {
  readonly orderNo: string;
  readonly merchantId: string;
  readonly amount: string;
  /** The id of the credit that it repeats. */
  readonly sameAs: string;
  readonly others: readonly string[];
  readonly lines: readonly { readonly orderNo: string; readonly amount: string }[];
  /** Whether the rest of a split goes back to its payer. */
  readonly returnsRest: boolean;
  /** `channel:ID`, `debit:ID` or `pair:ID`: where own money came from. */
  readonly from: string;
}
/** Changes some of the values. */
export type Set = (change: Partial<Draft>) => void;

/** How much of the credit. */
export function Amount({ draft, set, transfer }: { draft: Draft; set: Set; transfer: Transfer }): ReactNode {
  return (
    <TextInput
      label="Amount"
      description="The rest stays unmatched."
      placeholder={formatMoney(transfer.rest, decimalsOf(transfer.currencyCode))}
      value={draft.amount}
      onChange={({ currentTarget: { value } }) => {
        set({ amount: value });
      }}
    />
  );
}

/** The gateway number of an order. */
export function OrderNo({ draft, set, label }: { draft: Draft; set: Set; label: string }): ReactNode {
  return (
    <TextInput
      label={label}
      value={draft.orderNo}
      onChange={({ currentTarget: { value } }) => {
        set({ orderNo: value.trim() });
      }}
    />
  );
}

/** A merchant. */
export function Merchant({ draft, set }: { draft: Draft; set: Set }): ReactNode {
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  return (
    <Select
      label="Merchant"
      searchable
      clearable
      data={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
        value: id,
        label: merchantCode,
      }))}
      value={draft.merchantId || null}
      onChange={(value) => {
        set({ merchantId: value ?? '' });
      }}
    />
  );
}

/** Other waiting credits, and their sum. */
export function Others({ draft, set, transfer }: { draft: Draft; set: Set; transfer: Transfer }): ReactNode {
  const [{ data }] = useQuery({
    query: UnmatchedTransfersDocument,
    variables: { first: 100, filter: { currencyCode: [transfer.currencyCode] } },
  });
  const others = (data?.unmatchedTransfers.nodes ?? []).filter(({ id }) => id !== transfer.id);
  const chosen = others.filter(({ id }) => draft.others.includes(id));
  return (
    <>
      <MultiSelect
        label="With these credits"
        searchable
        data={others.map(({ id, amount, memo, payerName }) => ({
          value: id,
          label: `${formatMoney(amount, decimalsOf(transfer.currencyCode))} ${memo || payerName || id.slice(-6)}`,
        }))}
        value={[...draft.others]}
        onChange={(value) => {
          set({ others: value });
        }}
      />
      <p>
        Together{' '}
        <Money amount={sumOf([transfer.rest, ...chosen.map(({ rest }) => rest)])} currency={transfer.currencyCode} />
      </p>
    </>
  );
}

/** The credits of the same account and amount. */
export function SameAs({ draft, set, transfer }: { draft: Draft; set: Set; transfer: Transfer }): ReactNode {
  const { amount, accountId } = transfer;
  const [{ data }] = useQuery({
    query: BankTransfersDocument,
    variables: {
      first: 20,
      filter: { accountId: [accountId], amount: { min: amount, max: amount } },
    },
  });
  return (
    <Select
      label="The first report"
      data={(data?.bankTransfers.nodes ?? [])
        .filter(({ id }) => id !== transfer.id)
        .map(({ id, bankTime, memo, bankReference }) => ({
          value: id,
          label: `${bankTime.slice(0, 16).replace('T', ' ')} UTC ${bankReference ?? (memo || id.slice(-6))}`,
        }))}
      value={draft.sameAs || null}
      onChange={(value) => {
        set({ sameAs: value ?? '' });
      }}
    />
  );
}

/** Orders and their parts of the credit; the rest is kept or returned. */
export function Lines({ draft, set, transfer }: { draft: Draft; set: Set; transfer: Transfer }): ReactNode {
  const put = (n: number, change: Partial<Draft['lines'][number]>): void => {
    set({ lines: draft.lines.map((line, i) => (i === n ? { ...line, ...change } : line)) });
  };
  return (
    <>
      {draft.lines.map((line, n) => (
        <Group key={n} gap="xs" grow>
          <TextInput
            label={`Order ${String(n + 1)}`}
            placeholder="D2026…"
            value={line.orderNo}
            onChange={({ currentTarget: { value } }) => {
              put(n, { orderNo: value.trim() });
            }}
          />
          <TextInput
            label={`Amount ${String(n + 1)}`}
            value={line.amount}
            onChange={({ currentTarget: { value } }) => {
              put(n, { amount: value.trim() });
            }}
          />
        </Group>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          set({ lines: [...draft.lines, { orderNo: '', amount: '' }] });
        }}
      >
        Another order
      </Button>
      <p className="dim">
        <Money amount={transfer.rest} currency={transfer.currencyCode} /> wait. The rest stays unmatched, or is returned
        to its payer.
      </p>
      <Switch
        label="Return what is left to its payer"
        checked={draft.returnsRest}
        onChange={({ currentTarget: { checked } }) => {
          set({ returnsRest: checked });
        }}
      />
      {draft.returnsRest && <Payee draft={draft} set={set} />}
    </>
  );
}
