import { Button, SimpleGrid, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { decimalsOf, formatMoney, isZero } from '../../format/money';
import { type AccountRowFragment, PutAccountCostsDocument } from '../../generated/operations';
import { Facts, Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';

type Costs = AccountRowFragment['costs'][number];

/** "0.1 % + 2.00 THB" */
function wordsOf({ percent, fixed }: Costs['credit'], currency: string): string {
  const parts = [
    isZero(percent) ? null : `${formatMoney(percent, 0)} %`,
    isZero(fixed) ? null : `${formatMoney(fixed, decimalsOf(currency))} ${currency}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'nothing' : parts.join(' + ');
}

const FIELDS = [
  ['creditPercent', 'Credit, percent'],
  ['creditFixed', 'Credit, fixed'],
  ['payoutPercent', 'Payout, percent'],
  ['payoutFixed', 'Payout, fixed'],
] as const;

/** The charges of the account's bank, by which profit is computed. */
export function AccountCosts({ account }: { account: AccountRowFragment }): ReactNode {
  const { me } = useSession();
  const [editing, setEditing] = useState(false);
  const { currencyCode: currency } = account;
  const [costs] = account.costs;
  return (
    <Section
      title="Bank's charges"
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            variant="default"
            onClick={() => {
              setEditing(true);
            }}
          >
            Set charges
          </Button>
        )
      }
    >
      <Facts
        of={[
          ['For a credit', costs ? wordsOf(costs.credit, currency) : 'not known'],
          ['For a payout', costs ? wordsOf(costs.payout, currency) : 'not known'],
        ]}
      />
      {editing && (
        <EditCosts
          account={account}
          onClose={() => {
            setEditing(false);
          }}
        />
      )}
    </Section>
  );
}

function EditCosts({ account, onClose }: { account: AccountRowFragment; onClose: () => void }): ReactNode {
  const put = useAction(PutAccountCostsDocument);
  const [now] = account.costs;
  const [values, setValues] = useState({
    creditPercent: now?.credit.percent ?? '0',
    creditFixed: now?.credit.fixed ?? '0',
    payoutPercent: now?.payout.percent ?? '0',
    payoutFixed: now?.payout.fixed ?? '0',
  });
  const save = async (reason: string): Promise<void> => {
    const input = {
      credit: { percent: values.creditPercent, fixed: values.creditFixed },
      payout: { percent: values.payoutPercent, fixed: values.payoutFixed },
    };
    if (!(await put.run({ accountId: account.id, input, reason }))) return;
    notifications.show({ message: 'The charges are in force from now on.', color: 'tide' });
    onClose();
  };
  return (
    <ReasonDialog
      title={`What the bank of ${account.name} charges`}
      act="Save"
      busy={put.busy}
      failure={put.failure}
      onAct={(reason) => {
        void save(reason);
      }}
      onClose={onClose}
    >
      <p>For costs and profit of orders from now on. It moves no money.</p>
      <SimpleGrid cols={2} spacing="sm">
        {FIELDS.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            value={values[name]}
            onChange={({ currentTarget: { value } }) => {
              setValues((before) => ({ ...before, [name]: value.trim() }));
            }}
          />
        ))}
      </SimpleGrid>
    </ReasonDialog>
  );
}
