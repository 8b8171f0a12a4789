import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  AgentDevicesDocument,
  type DeviceRowFragment,
  PairDeviceDocument,
  UnpairDeviceDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Rows } from '../../parts/table';
import { Time } from '../../parts/time';

/** The devices that forward messages of banks. */
export function Devices(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: AgentDevicesDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const pair = useAction(PairDeviceDocument, 'Device paired.');
  const unpair = useAction(UnpairDeviceDocument, 'Device unpaired.');
  const [acting, setActing] = useState<DeviceRowFragment | null>(null);
  const isPaired = acting?.pairedAt != null;
  const step = isPaired ? unpair : pair;
  return (
    <Section title="Devices">
      <Answer asked={asked} retry={look}>
        {({ agentDevices }) =>
          agentDevices.length === 0 ? (
            <Empty icon="send" title="No devices">
              A device that forwards messages shows itself with its first heartbeat.
            </Empty>
          ) : (
            <Rows
              label="Devices"
              columns={[
                { key: 'label', title: 'Device', cell: ({ label }) => label },
                { key: 'version', title: 'Version', cell: ({ version }) => version ?? '–' },
                {
                  key: 'battery',
                  title: 'Battery',
                  numeric: true,
                  cell: ({ battery }) => (battery === null ? '–' : `${String(battery)} %`),
                },
                {
                  key: 'waiting',
                  title: 'Not sent',
                  numeric: true,
                  cell: ({ waiting }) => waiting ?? '–',
                },
                {
                  key: 'seen',
                  title: 'Last seen',
                  cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
                },
                {
                  key: 'paired',
                  title: 'Paired',
                  cell: ({ pairedAt }) => (pairedAt === null ? 'no' : <Time at={pairedAt} />),
                },
              ]}
              rows={agentDevices}
              keyOf={({ id }) => id}
              actions={(device) =>
                may(me, 'CONFIGURE') && (
                  <Button
                    variant="subtle"
                    aria-label={`${device.pairedAt === null ? 'Pair' : 'Unpair'} ${device.label}`}
                    onClick={() => {
                      setActing(device);
                    }}
                  >
                    {device.pairedAt === null ? 'Pair' : 'Unpair'}
                  </Button>
                )
              }
            />
          )
        }
      </Answer>
      {acting && (
        <ReasonDialog
          title={`${isPaired ? 'Unpair' : 'Pair'} ${acting.label}`}
          act={isPaired ? 'Unpair' : 'Pair'}
          busy={step.busy}
          failure={step.failure}
          onAct={async (reason) => {
            if (!(await step.run({ id: acting.id, reason }))) return;
            setActing(null);
            look();
          }}
          onClose={() => {
            setActing(null);
          }}
        />
      )}
    </Section>
  );
}
