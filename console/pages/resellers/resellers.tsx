import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { CreateResellerDocument, type ResellerRowFragment, ResellersDocument } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';

type Sum = ResellerRowFragment['sums'][number];

const sumsOf = (sums: readonly Sum[], amountOf: (sum: Sum) => string): ReactNode =>
  sums.length === 0 ? (
    <span className="dim">–</span>
  ) : (
    sums.map((sum) => (
      <div key={sum.currencyCode}>
        <Money amount={amountOf(sum)} currency={sum.currencyCode} />
      </div>
    ))
  );

const COLUMNS: readonly Column<ResellerRowFragment>[] = [
  { key: 'name', title: 'Reseller', cell: ({ name }) => name },
  {
    key: 'owed',
    title: 'Owed',
    numeric: true,
    cell: ({ sums }) => sumsOf(sums, ({ owed }) => owed),
  },
  {
    key: 'paid',
    title: 'Paid',
    numeric: true,
    cell: ({ sums }) => sumsOf(sums, ({ paid }) => paid),
  },
  {
    key: 'createdAt',
    title: 'Entered',
    wideOnly: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

function NewReseller({ onClose }: { onClose: () => void }): ReactNode {
  const create = useAction(CreateResellerDocument);
  const [name, setName] = useState('');
  return (
    <ReasonDialog
      title="New reseller"
      act="Add"
      busy={create.busy}
      failure={create.failure}
      ready={name.trim() !== ''}
      onAct={(reason) => {
        void create.run({ name: name.trim(), reason }).then((done) => {
          if (done) onClose();
        });
      }}
      onClose={onClose}
    >
      <p>It earns nothing until a commission rate is approved.</p>
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
        }}
        required
        data-autofocus
      />
    </ReasonDialog>
  );
}

/** The resellers, with what each is owed. */
export function ResellersPage(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: ResellersDocument, variables: {} });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Resellers"
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            onClick={() => {
              setAdding(true);
            }}
          >
            Add a reseller
          </Button>
        )
      }
    >
      <Answer asked={asked} retry={look}>
        {({ resellers }) =>
          resellers.length === 0 ? (
            <Empty icon="merchant" title="No resellers">
              Nobody earns a share of merchants’ fees.
            </Empty>
          ) : (
            <Rows
              label="Resellers"
              columns={COLUMNS}
              rows={resellers}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/resellers/${id}`}
            />
          )
        }
      </Answer>
      {adding && (
        <NewReseller
          onClose={() => {
            setAdding(false);
            look();
          }}
        />
      )}
    </Page>
  );
}
