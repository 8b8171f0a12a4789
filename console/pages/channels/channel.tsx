import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { decimalsOf, formatMoney, isZero } from '../../format/money';
import { inWords } from '../../format/words';
import { ChannelDocument, type ChannelFieldsFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { Claims } from './claims';
import { EditChannel, EnableChannel, MockDialog } from './edit';
import { Health } from './health';
import { Limits } from './limits';

type Channel = ChannelFieldsFragment;
/** The balance that the channel reports, beside that of our books. */
interface Balance {
  readonly currencyCode: string;
  readonly balance: string | null;
  readonly at: string | null;
  readonly book: string | null;
}

function balancesOf({ balances, bookBalances }: Channel): Balance[] {
  const codes = [...balances, ...bookBalances].map(({ currencyCode }) => currencyCode);
  return [...new Set(codes)].sort().map((currencyCode) => {
    const isOf = (one: { currencyCode: string }): boolean => one.currencyCode === currencyCode;
    const said = balances.find(isOf);
    const book = bookBalances.find(isOf)?.balance ?? null;
    return { currencyCode, balance: said?.balance ?? null, at: said?.at ?? null, book };
  });
}
type Bank = Channel['banks'][number];
type MockAmount = Channel['deposits']['mockAmounts'][number];

const yes = (value: boolean): string => (value ? 'Yes' : 'No');
const figure = (amount: string | null | undefined): string | null => (amount == null ? null : formatMoney(amount, 2));

/** "1.5 % + 2.00", in the currency of the order. */
function costOf({ percent, fixed }: Channel['cost']): string {
  const parts = [
    isZero(percent) ? null : `${formatMoney(percent, 0)} %`,
    isZero(fixed) ? null : formatMoney(fixed, 2),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'none' : parts.join(' + ');
}

/** When its breaker opens. */
function breakerOf({ successPercent, failuresInRow, leastOrders, minutes }: Channel['breaker']): string {
  const rules = [
    ...(failuresInRow == null ? [] : [`after ${String(failuresInRow)} in a row`]),
    ...(successPercent == null
      ? []
      : [`below ${String(successPercent)} % of ${String(leastOrders)} or more in ${String(minutes)} min`]),
  ];
  return rules.length === 0 ? 'never passed over for failures' : `Passed over ${rules.join(', or ')}`;
}

const rangeOf = (min: string | null | undefined, max: string | null | undefined): string =>
  min == null && max == null ? 'any' : `${figure(min) ?? '…'} – ${figure(max) ?? '…'}`;

const BALANCES: readonly Column<Balance>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  {
    key: 'balance',
    title: 'Holds for us',
    numeric: true,
    cell: ({ balance, currencyCode }) => (balance === null ? '–' : <Money amount={balance} currency={currencyCode} />),
  },
  {
    key: 'book',
    title: 'Our books',
    numeric: true,
    cell: ({ book, currencyCode }) => (book === null ? '–' : <Money amount={book} currency={currencyCode} />),
  },
  { key: 'at', title: 'Asked', cell: ({ at }) => (at === null ? '–' : <Time at={at} />) },
];

const BANKS: readonly Column<Bank>[] = [
  { key: 'bank', title: 'Our bank', cell: ({ bankCode }) => bankCode },
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  {
    key: 'theirs',
    title: 'Its code',
    cell: ({ channelBankCode }) => <span className="mono">{channelBankCode}</span>,
  },
];

const MOCK_AMOUNTS: readonly Column<MockAmount>[] = [
  { key: 'amount', title: 'Amount', cell: ({ amount }) => formatMoney(amount, decimalsOf('THB')) },
  { key: 'outcome', title: 'Outcome', cell: ({ outcome }) => inWords(outcome) },
];

function Payouts({ channel }: { channel: Channel }): ReactNode {
  return (
    <Section title="Payouts">
      <Facts
        of={[
          ['Currencies', channel.currencies.join(', ') || 'none'],
          ['One payout', rangeOf(channel.minAmount, channel.maxAmount)],
          ['Cost', costOf(channel.cost)],
          ['Low balance', figure(channel.lowBalance)],
          ['Time zone', channel.timeZone],
          ['Failure is final after', `${String(channel.failureFinalDelaySeconds)} s`],
          ['Refusals are confirmed by a query', yes(channel.confirmRefusals)],
          ['Waits for an answer', `${String(channel.answerWithinSeconds)} s`],
        ]}
      />
    </Section>
  );
}

function Deposits({ channel: { deposits } }: { channel: Channel }): ReactNode {
  return (
    <Section title="Deposits">
      <Facts
        of={[
          ['Currencies', deposits.currencies.join(', ') || 'none'],
          ['One deposit', rangeOf(deposits.minAmount, deposits.maxAmount)],
          ['Cost', costOf(deposits.cost)],
          ['Asked', deposits.beforeAccounts ? 'Before the accounts' : 'After the accounts'],
          ['Wallet', deposits.walletKind == null ? null : inWords(deposits.walletKind)],
          ['Payers’ contact data', yes(deposits.acceptsContact)],
          ['Contact mobile', deposits.contactMobile],
          ['Contact e-mail', deposits.contactEmail],
          [
            'Reports on',
            deposits.accountId == null ? null : <Link to={`/accounts?open=${deposits.accountId}`}>Account</Link>,
          ],
          ['At opening', deposits.mockOpening == null ? null : inWords(deposits.mockOpening)],
          ['Why would it refuse one?', <Link to="/routing">Routing</Link>],
        ]}
      />
      {deposits.mockAmounts.length > 0 && (
        <Rows label="Amounts" columns={MOCK_AMOUNTS} rows={deposits.mockAmounts} keyOf={({ amount }) => amount} />
      )}
    </Section>
  );
}

/** The actions for a channel. */
type Act = 'EDIT' | 'ENABLE' | 'MOCK';

/** One channel: its settings, health and balance. */
export function ChannelPage(): ReactNode {
  const { me } = useSession();
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: ChannelDocument, variables: { id } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [act, setAct] = useState<Act | null>(null);
  const close = (): void => {
    setAct(null);
    look();
  };
  const { channel: current } = asked.data ?? {};
  const button = (to: Act, label: string): ReactNode => (
    <Button
      variant="default"
      onClick={() => {
        setAct(to);
      }}
    >
      {label}
    </Button>
  );
  return (
    <Page
      title={current?.name ?? 'Channel'}
      lead={current && <Status value={current.enabled ? 'ENABLED' : 'DISABLED'} />}
      back={{ to: '/channels', words: 'Channels' }}
      actions={
        current &&
        may(me, 'CONFIGURE') && (
          <>
            {button('EDIT', 'Change')}
            {button('ENABLE', current.enabled ? 'Disable' : 'Enable')}
            {current.kind === 'MOCK' && button('MOCK', 'Set the outcome')}
          </>
        )
      }
    >
      <Answer asked={asked} retry={look}>
        {({ channel }) =>
          channel ? (
            <>
              <Section title="Channel">
                <Facts
                  of={[
                    ['Health', <Health of={channel} />],
                    ['Why', channel.healthReason],
                    ['Orders fail', breakerOf(channel.breaker)],
                    [
                      'Since',
                      channel.breakerState !== 'HEALTHY' && channel.breakerSince ? (
                        <Time at={channel.breakerSince} />
                      ) : null,
                    ],
                    ['Checked', channel.healthAt ? <Time at={channel.healthAt} /> : null],
                    ['Code', <span className="mono">{channel.channelCode}</span>],
                    ['Kind', inWords(channel.kind)],
                    [
                      'Mapping',
                      channel.mapped ? (
                        <Link to={`/channels/${channel.id}/mapping`}>
                          {channel.mappingVersion == null
                            ? 'None in force'
                            : `Version ${String(channel.mappingVersion)}`}
                        </Link>
                      ) : null,
                    ],
                    ['Outcome', channel.mockOutcome == null ? null : inWords(channel.mockOutcome)],
                    ['Address', channel.baseUrl],
                    ['Key', channel.keyId],
                    ['Timeout', `${String(channel.timeoutSeconds)} s`],
                    ['Priority', String(channel.priority)],
                    ['Weight', String(channel.weight)],
                  ]}
                />
              </Section>
              <Payouts channel={channel} />
              <Deposits channel={channel} />
              <Limits channel={channel} />
              <Section title="Balances" flush>
                {balancesOf(channel).length === 0 ? (
                  <Empty icon="ledger" title="No balances">
                    It has not reported a balance.
                  </Empty>
                ) : (
                  <Rows
                    label="Balances"
                    columns={BALANCES}
                    rows={balancesOf(channel)}
                    keyOf={({ currencyCode }) => currencyCode}
                  />
                )}
              </Section>
              <Claims channelId={channel.id} claims={channel.claims} look={look} />
              {channel.banks.length > 0 && (
                <Section title="Banks" flush>
                  <Rows
                    label="Banks"
                    columns={BANKS}
                    rows={channel.banks}
                    keyOf={({ bankCode, currencyCode }) => `${currencyCode} ${bankCode}`}
                  />
                </Section>
              )}
            </>
          ) : (
            <Empty icon="send" title="No such channel">
              It may be on another platform.
            </Empty>
          )
        }
      </Answer>
      {current && act === 'EDIT' && <EditChannel channel={current} onClose={close} />}
      {current && act === 'ENABLE' && <EnableChannel channel={current} onClose={close} />}
      {current && act === 'MOCK' && <MockDialog channel={current} onClose={close} />}
    </Page>
  );
}
