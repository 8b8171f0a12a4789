import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import {
  DepositChannelRouteDocument,
  type DepositChannelRouteQuery,
  DepositRouteDocument,
  type DepositRouteQuery,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { inWords } from '../../format/words';
import { Answer } from '../../parts/answer';
import { ChoiceFilter, Filters } from '../../parts/filters';
import { Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { useUrlState } from '../../parts/url';
import { RoutingRules } from './rules';

type AccountOption = NonNullable<DepositRouteQuery['depositRoute']>[number];
type ChannelOption = NonNullable<DepositChannelRouteQuery['depositChannelRoute']>[number];

const verdict = (refusal: string | null | undefined): ReactNode =>
  refusal == null ? (
    <Status value="ELIGIBLE" words="Takes it" tone="good" />
  ) : (
    <Status value={refusal} words={inWords(refusal)} tone="bad" />
  );

const ACCOUNTS: readonly Column<AccountOption>[] = [
  { key: 'account', title: 'Account', cell: ({ account }) => account.name },
  { key: 'mode', title: 'Mode', cell: ({ account }) => inWords(account.mode) },
  { key: 'verdict', title: 'Would it accept?', cell: ({ refusal }) => verdict(refusal) },
];

const CHANNELS: readonly Column<ChannelOption>[] = [
  {
    key: 'channel',
    title: 'Channel',
    cell: ({ channel }) => <Link to={`/channels/${channel.id}`}>{channel.name}</Link>,
  },
  {
    key: 'turn',
    title: 'Asked',
    cell: ({ beforeAccounts }) => (beforeAccounts ? 'Before accounts' : 'After accounts'),
  },
  { key: 'priority', title: 'Priority', cell: ({ channel }) => String(channel.priority) },
  { key: 'verdict', title: 'Would it accept?', cell: ({ refusal }) => verdict(refusal) },
];

/** The accounts and channels that would take a deposit of an amount now, and why the others would not. */
export function RoutingPage(): ReactNode {
  const url = useUrlState();
  const [{ data: choices }] = useQuery({ query: MerchantChoicesDocument });
  const currencyCode = url.get('currency') ?? '';
  const amount = url.get('amount') ?? '';
  const variables = { currencyCode, amount, merchantId: url.get('merchant') };
  const pause = currencyCode === '' || amount === '';
  const [accounts, askAccounts] = useQuery({ query: DepositRouteDocument, variables, pause });
  const [channels, askChannels] = useQuery({
    query: DepositChannelRouteDocument,
    variables,
    pause,
  });
  const [draft, setDraft] = useState({ currencyCode, amount });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    url.set({ currency: draft.currencyCode, amount: draft.amount });
    if (draft.currencyCode === currencyCode && draft.amount === amount) {
      askAccounts({ requestPolicy: 'network-only' });
      askChannels({ requestPolicy: 'network-only' });
    }
  };
  return (
    <Page title="Routing">
      <RoutingRules />
      <Filters names={['merchant']}>
        <ChoiceFilter
          name="merchant"
          label="Merchant"
          choices={(choices?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
            value: id,
            label: merchantCode,
          }))}
        />
      </Filters>
      <form onSubmit={submit}>
        <Group align="end" gap="sm">
          <TextInput
            label="Currency"
            description="ISO 4217"
            value={draft.currencyCode}
            onChange={({ currentTarget: { value } }) => {
              setDraft((now) => ({ ...now, currencyCode: value.trim().toUpperCase() }));
            }}
            required
          />
          <TextInput
            label="Amount"
            description="Of one deposit"
            inputMode="decimal"
            value={draft.amount}
            onChange={({ currentTarget: { value } }) => {
              setDraft((now) => ({ ...now, amount: value.trim() }));
            }}
            required
          />
          <Button type="submit">Ask</Button>
        </Group>
      </form>
      {pause ? (
        <Empty icon="account" title="Why would it not take a deposit?">
          Give a currency and an amount. Without a merchant, the default pool counts.
        </Empty>
      ) : (
        <>
          <Section title="Accounts" flush>
            <Answer
              asked={accounts}
              retry={() => {
                askAccounts({ requestPolicy: 'network-only' });
              }}
            >
              {({ depositRoute }) => (
                <Rows label="Accounts" columns={ACCOUNTS} rows={depositRoute} keyOf={({ account }) => account.id} />
              )}
            </Answer>
          </Section>
          <Section title="Channels" flush>
            <Answer
              asked={channels}
              retry={() => {
                askChannels({ requestPolicy: 'network-only' });
              }}
            >
              {({ depositChannelRoute }) =>
                depositChannelRoute.length === 0 ? (
                  <Empty icon="send" title="No channels">
                    No channel takes deposits in this currency.
                  </Empty>
                ) : (
                  <Rows
                    label="Channels"
                    columns={CHANNELS}
                    rows={depositChannelRoute}
                    keyOf={({ channel }) => channel.id}
                  />
                )
              }
            </Answer>
          </Section>
        </>
      )}
    </Page>
  );
}
