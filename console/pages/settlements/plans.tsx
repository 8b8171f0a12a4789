import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  EndSettlementPlanDocument,
  type MerchantSettingsFragment,
  type SettlementPlanRowFragment,
  SettlementPlansDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time, useNow } from '../../parts/time';
import { amountsOf, draftOfPlan, newPlan, type PlanDraft, SHIFT_WORDS, whenOf } from './plan-draft';
import { EditPlan } from './plan-edit';

type Plan = SettlementPlanRowFragment;

function Standing({ of: { ends, inForce, effectiveFrom } }: { of: Plan }): ReactNode {
  const now = useNow();
  if (ends) return <Status value="DISABLED" words="Ended" />;
  if (inForce) return <Status value="ACTIVE" words="In force" />;
  if (Date.parse(effectiveFrom) <= now.getTime()) return <Status value="RETIRED" words="Over" />;
  return (
    <>
      <Status value="COOLING" words="From" tone="wait" /> <Time at={effectiveFrom} distance />
    </>
  );
}

const COLUMNS: readonly Column<Plan>[] = [
  {
    key: 'when',
    title: 'When',
    cell: (plan) => (
      <span className="wrap">
        {plan.currencyCode}: {whenOf(plan)}
        {plan.calendar && (
          <span className="dim">
            {' '}
            {plan.calendar.name}
            {plan.trigger !== 'THRESHOLD' && `, ${SHIFT_WORDS[plan.shift].toLowerCase()}`}
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'to',
    title: 'To',
    cell: ({ account: { bankCode, accountNo } }) => (
      <span className="wrap">
        {bankCode} {accountNo}
      </span>
    ),
  },
  {
    key: 'amounts',
    title: 'Settles',
    cell: (plan) => <span className="wrap">{amountsOf(plan)}</span>,
  },
  {
    key: 'approved',
    title: 'Alone up to',
    numeric: true,
    cell: ({ approvedUpTo, currencyCode }) =>
      approvedUpTo === null ? (
        <span className="dim">each waits</span>
      ) : (
        <Money amount={approvedUpTo} currency={currencyCode} />
      ),
  },
  {
    key: 'state',
    title: 'Status',
    cell: (plan) => (
      <>
        <Standing of={plan} />
        <div className="dim">version {plan.version}</div>
      </>
    ),
  },
];

function EndPlan({ plan, onClose }: { plan: Plan; onClose: () => void }): ReactNode {
  const end = useAction(EndSettlementPlanDocument, 'Settlement plan ended.');
  const { merchantId, currencyCode } = plan;
  return (
    <ReasonDialog
      title={`End the settlement plan in ${currencyCode}`}
      act="End"
      danger
      busy={end.busy}
      failure={end.failure}
      onAct={async (reason) => {
        if (await end.run({ merchantId, currencyCode, reason })) onClose();
      }}
      onClose={onClose}
    >
      The plan makes no more settlements. Those that it has made continue.
    </ReasonDialog>
  );
}

/** The newest version of each currency, and older ones that are still in force. */
const shown = (plans: readonly Plan[]): readonly Plan[] =>
  plans.filter(
    (plan) =>
      plan.inForce || !plans.some((one) => one.currencyCode === plan.currencyCode && one.version > plan.version),
  );

/** The settlement plans of a merchant. */
export function SettlementPlans({ merchant }: { merchant: MerchantSettingsFragment }): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({
    query: SettlementPlansDocument,
    variables: { merchantId: merchant.id },
  });
  const [editing, setEditing] = useState<{ draft: PlanDraft; isNew: boolean } | null>(null);
  const [ending, setEnding] = useState<Plan | null>(null);
  const [first] = merchant.currencies;
  const again = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  const close = (): void => {
    setEditing(null);
    setEnding(null);
    again();
  };
  return (
    <Section
      title="Settlement plans"
      flush
      actions={
        may(me, 'CONFIGURE') &&
        first && (
          <Button
            variant="default"
            onClick={() => {
              setEditing({ draft: newPlan(first.currencyCode), isNew: true });
            }}
          >
            New settlement plan
          </Button>
        )
      }
    >
      <Answer asked={asked} retry={again}>
        {({ merchant: found }) =>
          !found || found.settlementPlans.length === 0 ? (
            <Empty icon="settlement" title="No settlement plans">
              The merchant is settled only by hand.
            </Empty>
          ) : (
            <Rows
              label="Settlement plans"
              columns={COLUMNS}
              rows={shown(found.settlementPlans)}
              keyOf={({ id }) => id}
              actions={(plan) =>
                may(me, 'CONFIGURE') && (
                  <Stack gap={0} align="flex-end">
                    <Button
                      variant="subtle"
                      aria-label={`Change the plan in ${plan.currencyCode}, version ${String(plan.version)}`}
                      onClick={() => {
                        setEditing({ draft: draftOfPlan(plan), isNew: false });
                      }}
                    >
                      Change
                    </Button>
                    {!plan.ends && (
                      <Button
                        variant="subtle"
                        aria-label={`End the plan in ${plan.currencyCode}, version ${String(plan.version)}`}
                        onClick={() => {
                          setEnding(plan);
                        }}
                      >
                        End
                      </Button>
                    )}
                  </Stack>
                )
              }
            />
          )
        }
      </Answer>
      {editing && (
        <EditPlan merchant={merchant} timeZone={asked.data?.merchant?.timeZone ?? ''} begun={editing} onClose={close} />
      )}
      {ending && <EndPlan plan={ending} onClose={close} />}
    </Section>
  );
}
