import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  type ChannelMappingFieldsFragment,
  ChannelMappingsDocument,
  TryChannelMappingDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Diff } from '../../parts/diff';
import { Page, Section } from '../../parts/page';
import { Empty, FailureLine } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { PutMapping, SaveMapping } from './edit';

type Mapping = ChannelMappingFieldsFragment;
type Check = NonNullable<Mapping['trial']>['checks'][number];

const trialOf = ({ trial }: Mapping): string => {
  if (!trial) return 'Not tried';
  const failed = trial.checks.filter(({ passed }) => !passed).length;
  return trial.passed
    ? `Passed (${String(trial.checks.length)} checks)`
    : `Failed (${String(failed)} of ${String(trial.checks.length)})`;
};

const COLUMNS: readonly Column<Mapping>[] = [
  { key: 'version', title: 'Version', cell: ({ version }) => `Version ${String(version)}` },
  { key: 'note', title: 'What is new', cell: ({ note }) => note },
  { key: 'trial', title: 'Conformance kit', cell: trialOf },
  { key: 'inForce', title: 'In force', cell: ({ inForce }) => (inForce ? 'Yes' : 'No') },
  { key: 'createdAt', title: 'Saved', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const CHECKS: readonly Column<Check>[] = [
  { key: 'name', title: 'Tried', cell: ({ name }) => name },
  { key: 'detail', title: 'Actual result', cell: ({ detail }) => detail },
];

const sidesOf = ({ differences }: Mapping, side: 'before' | 'after') =>
  Object.fromEntries(differences.map((one) => [one.path, one[side]]));

/** A version: its trial by the kit, and its differences. */
function Version({ mapping }: { mapping: Mapping }): ReactNode {
  const failed = mapping.trial?.checks.filter(({ passed }) => !passed) ?? [];
  return (
    <>
      <Section title={`Conformance kit on version ${String(mapping.version)}`} flush>
        {failed.length > 0 ? (
          <Rows label="Failed checks" columns={CHECKS} rows={failed} keyOf={({ name }) => name} />
        ) : (
          <Empty icon="check" title={trialOf(mapping)}>
            {mapping.trial
              ? 'All samples and faults passed.'
              : 'Try it: only a version that has passed can be put in force.'}
          </Empty>
        )}
      </Section>
      <Section title={`Differences of version ${String(mapping.version)}`}>
        <Diff before={sidesOf(mapping, 'before')} after={sidesOf(mapping, 'after')} />
      </Section>
    </>
  );
}

/** The mapping of a channel: its versions, their trials and differences. */
export function MappingPage(): ReactNode {
  const { me } = useSession();
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: ChannelMappingsDocument, variables: { id } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  const attempt = useAction(TryChannelMappingDocument);
  const [act, setAct] = useState<'SAVE' | 'PUT' | null>(null);
  const [chosen, choose] = useState<number | null>(null);
  const close = (): void => {
    setAct(null);
    choose(null);
    look();
  };
  const channel = asked.data?.channel;
  const newest = channel?.mappings[0];
  const shown = channel?.mappings.find(({ version }) => version === chosen) ?? newest;
  const configures = may(me, 'CONFIGURE');
  return (
    <Page
      title={channel ? `Mapping of ${channel.name}` : 'Mapping'}
      back={{ to: `/channels/${id}`, words: 'Channel' }}
      actions={
        configures &&
        channel?.mapped && (
          <>
            <Button
              variant="default"
              onClick={() => {
                setAct('SAVE');
              }}
            >
              New version
            </Button>
            {shown && (
              <Button
                variant="default"
                loading={attempt.busy}
                onClick={() => {
                  void attempt.run({ channelId: id, version: shown.version }).then(look);
                }}
              >
                Try version {shown.version}
              </Button>
            )}
            {shown?.trial?.passed && !shown.inForce && (
              <Button
                onClick={() => {
                  setAct('PUT');
                }}
              >
                Put version {shown.version} in force
              </Button>
            )}
          </>
        )
      }
    >
      <Answer asked={asked} retry={look}>
        {({ channel: found }) =>
          found?.mapped ? (
            <>
              <FailureLine failure={attempt.failure} />
              <Section title="Versions" flush>
                {found.mappings.length === 0 ? (
                  <Empty icon="send" title="No mapping yet">
                    The channel stays disabled until one is in force.
                  </Empty>
                ) : (
                  <Rows
                    label="Versions"
                    columns={COLUMNS}
                    rows={found.mappings}
                    keyOf={({ version }) => String(version)}
                    actions={({ version }) => (
                      <Button
                        variant="subtle"
                        aria-label={`Show version ${String(version)}`}
                        onClick={() => {
                          choose(version);
                        }}
                      >
                        Show
                      </Button>
                    )}
                  />
                )}
              </Section>
              {shown && <Version mapping={shown} />}
            </>
          ) : (
            <Empty icon="send" title="No mapping">
              {found ? 'The channel uses our own protocol.' : 'There is no such channel.'}
            </Empty>
          )
        }
      </Answer>
      {channel && act === 'SAVE' && <SaveMapping channelId={id} from={shown?.mapping ?? null} onClose={close} />}
      {channel && shown && act === 'PUT' && <PutMapping channelId={id} version={shown.version} onClose={close} />}
    </Page>
  );
}
