import { Button, Group, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { failureOf } from '../../client/failure';
import {
  type PayerTier,
  type RoutedKind,
  RouteQuoteDocument,
  RoutingReplayDocument,
  type RoutingRuleInput,
} from '../../generated/operations';
import { FailureLine } from '../../parts/states';

const isAmount = (text: string): boolean => /^\d+(\.\d{1,4})?$/.test(text);

/** The route of one order by the draft, as text. */
export function DryRun({
  currencyCode,
  orderKind,
  draft,
  merchants,
}: {
  currencyCode: string;
  orderKind: RoutedKind;
  /** Null while it is invalid. */
  draft: readonly RoutingRuleInput[] | null;
  merchants: readonly { readonly value: string; readonly label: string }[];
}): ReactNode {
  const [amount, setAmount] = useState('');
  const [merchantId, setMerchant] = useState<string | null>(null);
  const [payerTier, setTier] = useState<string | null>(null);
  const asks = draft !== null && isAmount(amount) && merchantId !== null;
  const [{ data, error, fetching }] = useQuery({
    query: RouteQuoteDocument,
    variables: {
      input: {
        currencyCode,
        orderKind,
        amount,
        draft,
        merchantId: merchantId ?? '',
        payerTier: payerTier as PayerTier | null,
      },
    },
    pause: !asks,
  });
  return (
    <>
      <Group grow align="flex-end" gap="sm">
        <Select
          label="Try an order of"
          placeholder="A merchant"
          data={merchants}
          value={merchantId}
          onChange={setMerchant}
          searchable
        />
        <TextInput
          label="Of this amount"
          inputMode="decimal"
          value={amount}
          onChange={({ currentTarget: { value } }) => {
            setAmount(value.trim());
          }}
        />
        <Select
          label="By a payer who is"
          placeholder="New"
          data={['NEW', 'KNOWN', 'TRUSTED']}
          value={payerTier}
          onChange={setTier}
          clearable
        />
      </Group>
      {asks && error && !fetching && <FailureLine failure={failureOf(error)} />}
      {asks && data?.routeQuote && !error && (
        <ul aria-label="Where it would go">
          {data.routeQuote.words.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The replay of yesterday's orders by the draft. */
export function Replay({
  currencyCode,
  orderKind,
  draft,
}: {
  currencyCode: string;
  orderKind: RoutedKind;
  draft: readonly RoutingRuleInput[] | null;
}): ReactNode {
  const [asked, setAsked] = useState<readonly RoutingRuleInput[] | null>(null);
  const [{ data, error, fetching }] = useQuery({
    query: RoutingReplayDocument,
    variables: { input: { currencyCode, orderKind, draft: asked } },
    pause: asked === null,
  });
  const replay = asked === null ? null : data?.routingReplay;
  return (
    <>
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={asked !== null && fetching}
        disabled={draft === null}
        onClick={() => {
          setAsked(draft);
        }}
      >
        Replay yesterday&apos;s {orderKind === 'DEPOSIT' ? 'deposits' : 'payouts'}
      </Button>
      {asked !== null && error && !fetching && <FailureLine failure={failureOf(error)} />}
      {replay && !error && !fetching && (
        <div role="status" aria-label="Replay">
          <p>{replay.words}</p>
          <ul>
            {replay.shares.map(({ account, channel, before, after }) => (
              <li key={account?.id ?? channel?.id ?? ''}>
                {account?.name ?? channel?.channelCode}: {before} before, {after} after
              </li>
            ))}
            {replay.examples.slice(0, 5).map(({ orderId, words, deposit, withdrawal }) => (
              <li key={orderId}>
                {deposit?.orderNo ?? withdrawal?.orderNo ?? orderId}: {words}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
