import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  EventAddressesDocument,
  type EventAddressesRowFragment,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Page, Section } from '../../parts/page';
import { notifyProposed } from '../../parts/propose';
import { SecretOnce } from '../../parts/secret';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { Deliveries } from './deliveries';
import { EditAddresses, type ProposedAddresses } from './edit';
import { TakeSecret } from './take';
import { EVENT_WORDS } from './words';

type Row = EventAddressesRowFragment;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'event', title: 'Event', cell: ({ event }) => EVENT_WORDS[event] },
  {
    key: 'whose',
    title: 'Of',
    cell: ({ merchant }) =>
      merchant === null ? 'The platform' : <Link to={`/merchants/${merchant.id}`}>{merchant.merchantCode}</Link>,
  },
  {
    key: 'addresses',
    title: 'Goes to',
    cell: ({ mails, webhookUrl }) =>
      mails.length === 0 && webhookUrl === null ? (
        <span className="dim">nowhere</span>
      ) : (
        [...mails, ...(webhookUrl === null ? [] : [webhookUrl])].map((one) => (
          <div key={one} className="mono wrap">
            {one}
          </div>
        ))
      ),
  },
  {
    key: 'createdAt',
    title: 'Since',
    wideOnly: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** The addresses of platform events, and the state of their deliveries. */
export function EventsPage(): ReactNode {
  const { me } = useSession();
  const [{ data: choices }] = useQuery({ query: MerchantChoicesDocument });
  const [asked, ask] = useQuery({ query: EventAddressesDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [editing, setEditing] = useState<{ readonly row?: Row } | null>(null);
  const [made, setMade] = useState<ProposedAddresses | null>(null);
  const [taking, setTaking] = useState<Row | null>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const configures = may(me, 'CONFIGURE');
  return (
    <Page
      title="Platform events"
      actions={
        configures && (
          <Button
            onClick={() => {
              setEditing({});
            }}
          >
            Set addresses
          </Button>
        )
      }
    >
      <Section title="Addresses" flush>
        <Answer asked={asked} retry={look}>
          {({ eventAddresses }) =>
            eventAddresses.length === 0 ? (
              <Empty icon="send" title="No addresses">
                Events are not delivered until they have an address.
              </Empty>
            ) : (
              <Rows
                label="Addresses"
                columns={COLUMNS}
                rows={eventAddresses}
                keyOf={({ id }) => id}
                actions={(row) =>
                  configures && (
                    <>
                      {row.secretWaits && row.createdBy.id !== me.id && (
                        <Button
                          variant="subtle"
                          onClick={() => {
                            setTaking(row);
                          }}
                        >
                          Fetch the secret
                        </Button>
                      )}
                      <Button
                        variant="subtle"
                        aria-label={`Change addresses of ${EVENT_WORDS[row.event]}${row.merchant ? ` of ${row.merchant.merchantCode}` : ''}`}
                        onClick={() => {
                          setEditing({ row });
                        }}
                      >
                        Change
                      </Button>
                    </>
                  )
                }
              />
            )
          }
        </Answer>
      </Section>
      <Deliveries />
      {editing && (
        <EditAddresses
          row={editing.row}
          current={asked.data?.eventAddresses ?? []}
          merchants={choices?.merchants.nodes ?? []}
          onProposed={(proposed) => {
            setEditing(null);
            setMade(proposed);
            look();
          }}
          onClose={() => {
            setEditing(null);
          }}
        />
      )}
      {taking && (
        <TakeSecret
          row={taking}
          onTaken={(secret) => {
            setTaking(null);
            setTaken(secret);
            look();
          }}
          onClose={() => {
            setTaking(null);
          }}
        />
      )}
      {taken !== null && (
        <SecretOnce
          title="The webhook's secret"
          secrets={[{ name: 'Secret', text: taken }]}
          onClose={() => {
            setTaken(null);
          }}
        />
      )}
      {made && (
        <SecretOnce
          title="The webhook's secret"
          secrets={[{ name: 'Secret', text: made.secret }]}
          onClose={() => {
            notifyProposed(made.change);
            setMade(null);
          }}
        >
          {made.change.status === 'PROPOSED' && (
            <p className="dim">It signs requests once another operator has approved the addresses.</p>
          )}
        </SecretOnce>
      )}
    </Page>
  );
}
