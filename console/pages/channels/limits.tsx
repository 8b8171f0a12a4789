import type { ReactNode } from 'react';
import type { ChannelQuery } from '../../generated/operations';
import { Section } from '../../parts/page';
import { type Column, Rows } from '../../parts/table';
import { UsedAmount, UsedCount } from '../../parts/used';

type Channel = NonNullable<ChannelQuery['channel']>;
type Use = Channel['use'][number];

const none = <span className="dim">no limit</span>;

/** The columns of the limits that a channel has. */
function columnsOf({ deposits, name }: Channel): readonly Column<Use>[] {
  const amount = (used: string, most: string | null, of: Use, what: string): ReactNode =>
    most === null ? (
      none
    ) : (
      <UsedAmount {...{ used, most, currency: of.currencyCode }} label={`${name}, ${of.currencyCode} ${what}`} />
    );
  const count = (used: number, most: number | null, of: Use, what: string): ReactNode =>
    most === null ? none : <UsedCount {...{ used, most }} label={`${name}, ${of.currencyCode} ${what}`} />;
  return [
    { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
    {
      key: 'day',
      title: 'Today',
      cell: (use) => amount(use.todayAmount, deposits.maxDailyAmount, use, 'today'),
    },
    {
      key: 'days',
      title: 'Payments today',
      cell: (use) => count(use.todayDeposits, deposits.maxDailyCount, use, 'payments today'),
    },
    {
      key: 'month',
      title: 'This month',
      cell: (use) => amount(use.monthAmount, deposits.maxMonthlyAmount, use, 'this month'),
    },
    {
      key: 'months',
      title: 'Payments this month',
      cell: (use) => count(use.monthDeposits, deposits.maxMonthlyCount, use, 'payments this month'),
    },
  ];
}

/** The used and the free part of a channel's limits in each currency; nothing if it has no limits. */
export function Limits({ channel }: { channel: Channel }): ReactNode {
  if (channel.use.length === 0) return null;
  return (
    <Section title="Limits of deposits" flush>
      <Rows
        label="Limits of deposits"
        columns={columnsOf(channel)}
        rows={channel.use}
        keyOf={({ currencyCode }) => currencyCode}
      />
    </Section>
  );
}
