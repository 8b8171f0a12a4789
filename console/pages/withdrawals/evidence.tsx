import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isZero } from '../../format/money';
import { inWords } from '../../format/words';
import type { WithdrawalEvidenceFragment, WithdrawalRowFragment } from '../../generated/operations';
import { volumeFacts } from '../../parts/costs';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { Erase } from '../../parts/erase';
import { reasonsInWords, rulesInWords } from '../../parts/payout';
import { Reveal } from '../../parts/reveal';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';

/** A withdrawal with the evidence for a decision. */
export type Considered = WithdrawalRowFragment & WithdrawalEvidenceFragment;

function Review({ of }: { of: Considered }): ReactNode {
  const { peopleNeeded, refusal, status } = of;
  return (
    <Section title="Review">
      <Facts
        of={[
          ['Review reasons', reasonsInWords(of.reviewReasons)],
          ['Rules', rulesInWords(of.reviewRulesVersion)],
          ['Needs', `${String(peopleNeeded)} ${peopleNeeded === 1 ? 'person' : 'people'}`],
          ['Decide by', <Time at={of.decideBy} distance={status === 'PENDING'} />],
          ['Claimed by', of.claimant?.login ?? null],
          ['You may approve', status === 'PENDING' ? (refusal === null ? 'Yes' : `No: ${refusal}`) : null],
        ]}
      />
    </Section>
  );
}

function Decisions({ of: { decisions } }: { of: Considered }): ReactNode {
  return (
    <Section title="Decisions">
      {decisions.length === 0 ? (
        <p className="dim">None yet.</p>
      ) : (
        <ul className="outcomes">
          {decisions.map(({ id, verdict, remarks, at, operator }) => (
            <li key={id}>
              <Status value={verdict === 'APPROVE' ? 'COMPLETED' : 'REJECTED'} words={inWords(verdict)} /> by{' '}
              {operator.login} <Time at={at} />
              {remarks !== null && <p className="wrap">{remarks}</p>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Beneficiary({ of }: { of: Considered }): ReactNode {
  return (
    <Section title="Beneficiary">
      <Facts
        of={[
          ['Name', of.beneficiaryName],
          ['Account', <span className="mono">{of.beneficiaryAccount}</span>],
          ['Bank', [of.beneficiaryBankName, of.beneficiaryBankBranch].filter(Boolean).join(' · ')],
        ]}
      />
      <Group gap="xs">
        <Reveal of="WITHDRAWAL" id={of.id} />
        <Erase order={of} />
      </Group>
      <p className="small-head">Other withdrawals to this account</p>
      {of.similar.length === 0 ? (
        <p className="dim">This is the first withdrawal.</p>
      ) : (
        <ul className="outcomes" aria-label="Other withdrawals to this account">
          {of.similar.map(({ id, orderNo, status, amount, currencyCode, createdAt, merchant }) => (
            <li key={id}>
              <Link to={`/withdrawals/${orderNo}`}>
                <Money amount={amount} currency={currencyCode} />
              </Link>{' '}
              <Status value={status} /> {merchant.merchantCode} <Time at={createdAt} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Balance({
  of: { merchant, currencyCode, amount, fee, feeSchedule, feeVolume },
}: {
  of: Considered;
}): ReactNode {
  const balance = merchant.balances.find((one) => one.currencyCode === currencyCode);
  return (
    <Section title="Money">
      <Facts
        of={[
          ['To the beneficiary', <Money amount={amount} currency={currencyCode} />],
          ['Fee', <Money amount={fee} currency={currencyCode} />],
          ['Fee schedule', feeSchedule?.words ?? null],
          ...volumeFacts(feeVolume, currencyCode),
          ['Merchant', <Link to={`/merchants/${merchant.id}`}>{merchant.name}</Link>],
          ['Available', balance && <Money amount={balance.available} currency={currencyCode} />],
          ['Frozen', balance && <Money amount={balance.frozen} currency={currencyCode} />],
          ...(balance && !isZero(balance.held)
            ? [['of which held', <Money amount={balance.held} currency={currencyCode} />] as const]
            : []),
          ...(balance && !isZero(balance.receivable)
            ? [['Owed to us', <Money amount={balance.receivable} currency={currencyCode} />] as const]
            : []),
        ]}
      />
    </Section>
  );
}

/** The evidence for a decision, beside the list. */
export function Evidence({ of }: { of: Considered }): ReactNode {
  return (
    <>
      <Review of={of} />
      <Decisions of={of} />
      <Balance of={of} />
      <Beneficiary of={of} />
    </>
  );
}
