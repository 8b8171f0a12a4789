import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { decimalsOf, formatMoney } from '../format/money';
import {
  BookChoicesDocument,
  DebitChoicesDocument,
  type OperatorPostingKind,
  OperatorPostingsDocument,
  type OwnTransferInput,
  UnmatchedTransfersDocument,
} from '../generated/operations';

const money = (amount: string, currencyCode: string): string =>
  `${formatMoney(amount, decimalsOf(currencyCode))} ${currencyCode}`;

/** The chosen leg of a transfer between our own accounts and channels. */
export function legOf(kind: string, id: string): Partial<OwnTransferInput> {
  switch (kind) {
    case 'channel':
      return { fromChannelId: id };
    case 'debit':
      return { debitId: id };
    case 'pair':
      return { pairId: id };
    default:
      return {};
  }
}

const LEGS: OperatorPostingKind[] = ['OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN'];

interface Choice {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Only of this currency; null: of any. */
  readonly currencyCode?: string | null;
  /** Only of this kind. */
  readonly only?: 'channel' | 'debit';
}

function Chosen({
  label,
  value,
  onChange,
  data,
  description,
}: Choice & { data: { value: string; label: string }[]; description?: string }): ReactNode {
  return (
    <Select
      label={label}
      description={description}
      searchable={data.length > 8}
      clearable
      data={data}
      value={value || null}
      onChange={(chosen) => {
        onChange(chosen ?? '');
      }}
    />
  );
}

/** The origin of own money: a channel, a debit, or the posting of its departure. Empty: not known yet. */
export function From(props: Choice): ReactNode {
  const { currencyCode = null, only } = props;
  const fits = (code: string): boolean => currencyCode === null || code === currencyCode;
  const [{ data: books }] = useQuery({ query: BookChoicesDocument, pause: only === 'debit' });
  const [{ data: debits }] = useQuery({ query: DebitChoicesDocument, pause: only === 'channel' });
  const [{ data: left }] = useQuery({
    query: OperatorPostingsDocument,
    variables: { first: 200, filter: { kind: LEGS } },
    pause: only !== undefined,
  });
  const legs = (left?.operatorPostings.nodes ?? []).filter((one) => one.reversedAt === null);
  const arrived = new Set(legs.map(({ pairId }) => pairId));
  const data = [
    ...legs
      .filter((one) => one.kind === 'OWN_TRANSFER_OUT' && !arrived.has(one.id))
      .filter((one) => fits(one.currencyCode))
      .map((one) => ({
        value: `pair:${one.id}`,
        label: `${money(one.amount, one.currencyCode)} that left: ${one.reason}`,
      })),
    ...(debits?.bankDebits.nodes ?? [])
      .filter((one) => fits(one.currencyCode))
      .map((one) => ({
        value: `debit:${one.id}`,
        label: `${money(one.rest, one.currencyCode)} from ${one.account.name} ${one.bankReference ?? one.memo}`,
      })),
    ...(books?.channels.nodes ?? [])
      .filter(
        ({ currencies, deposits }) =>
          currencyCode === null || [...currencies, ...deposits.currencies].includes(currencyCode),
      )
      .map(({ id, name }) => ({ value: `channel:${id}`, label: `Channel ${name}` })),
  ];
  return <Chosen {...props} data={data} />;
}

/** The destination of own money: a channel, or a waiting credit. Empty: it is under way. */
export function To(props: Choice): ReactNode {
  const { currencyCode = null } = props;
  const fits = (code: string): boolean => currencyCode === null || code === currencyCode;
  const [{ data: books }] = useQuery({ query: BookChoicesDocument });
  const [{ data: credits }] = useQuery({
    query: UnmatchedTransfersDocument,
    variables: { first: 100 },
  });
  const data = [
    ...(credits?.unmatchedTransfers.nodes ?? [])
      .filter((one) => fits(one.currencyCode))
      .map((one) => ({
        value: `transfer:${one.id}`,
        label: `${money(one.rest, one.currencyCode)} on ${one.account.name} ${one.bankReference ?? one.memo}`,
      })),
    ...(books?.channels.nodes ?? [])
      .filter(
        ({ currencies, deposits }) =>
          currencyCode === null || [...currencies, ...deposits.currencies].includes(currencyCode),
      )
      .map(({ id, name }) => ({ value: `channel:${id}`, label: `Channel ${name}` })),
  ];
  return <Chosen {...props} data={data} />;
}

/** The book of an account or of a channel. */
export function Book({ only, ...props }: Choice): ReactNode {
  const [{ data: books }] = useQuery({ query: BookChoicesDocument });
  const data = [
    ...(only === 'channel' ? [] : (books?.bankAccounts.nodes ?? [])).map((one) => ({
      value: `account:${one.id}`,
      label: `${one.name} (${one.currencyCode})`,
    })),
    ...(books?.channels.nodes ?? []).map(({ id, name }) => ({
      value: `channel:${id}`,
      label: `Channel ${name}`,
    })),
  ];
  return <Chosen {...props} data={data} />;
}
