import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { decimalsOf, isZero, plainMoney } from '../../format/money';
import type { ChannelQuery } from '../../generated/operations';
import { Money } from '../../parts/money';
import { Section } from '../../parts/page';
import { Rows } from '../../parts/table';
import type { ActName } from '../postings/acts';
import { PostDialog } from '../postings/post';
import type { Draft } from '../postings/use-act';

type Owed = NonNullable<ChannelQuery['channel']>['claims'][number];

/** The debt of a channel that paid twice or too late, and the ways to end it. */
export function Claims({
  channelId,
  claims,
  look,
}: {
  channelId: string;
  claims: readonly Owed[];
  look: () => void;
}): ReactNode {
  const { me } = useSession();
  const [acting, setActing] = useState<{ name: ActName; begun: Partial<Draft> } | null>(null);
  const owed = claims.filter(({ balance }) => !isZero(balance));
  if (owed.length === 0) return null;
  return (
    <Section title="Owed by the channel" flush>
      <Rows
        label="Owed by the channel"
        columns={[
          { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
          {
            key: 'balance',
            title: 'Owes us',
            numeric: true,
            cell: ({ balance, currencyCode }) => <Money amount={balance} currency={currencyCode} />,
          },
        ]}
        rows={owed}
        keyOf={({ currencyCode }) => currencyCode}
        actions={({ currencyCode, balance }) => {
          const begun = {
            book: `channel:${channelId}`,
            currency: currencyCode,
            amount: plainMoney(balance, decimalsOf(currencyCode)),
          };
          const button = (name: ActName, words: string): ReactNode => (
            <Button
              variant="subtle"
              onClick={() => {
                setActing({ name, begun });
              }}
            >
              {words}
            </Button>
          );
          return (
            may(me, 'TREASURER') && (
              <Group gap="xs" wrap="nowrap">
                {button('settle', 'Settled')}
                {button('writeOff', 'Give up')}
              </Group>
            )
          );
        }}
      />
      {acting && (
        <PostDialog
          name={acting.name}
          begun={acting.begun}
          onDone={look}
          onClose={() => {
            setActing(null);
          }}
        />
      )}
    </Section>
  );
}
