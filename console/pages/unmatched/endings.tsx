import { Button, Group, MultiSelect, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { decimalsOf, formatMoney, sumOf } from '../../format/money';
import {
  type ChangeFieldsFragment,
  CombineTransfersDocument,
  CreditLateMoneyDocument,
  CreditTopUpDocument,
  DismissDuplicateDocument,
  BankTransfersDocument,
  type EvidenceInput,
  MerchantChoicesDocument,
  PostInterestDocument,
  ReturnMoneyDocument,
  ReturnPayoutDocument,
  SplitTransferDocument,
  UnmatchedTransfersDocument,
  WriteOffMoneyDocument,
} from '../../generated/operations';
import { Money } from '../../parts/money';
import { Section } from '../../parts/page';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import type { Transfer } from './shown-transfer';

/** The ways in which waiting money ends, beside a match. */
export const ENDINGS = {
  late: { words: 'Late credit', key: 'l', title: 'Credit it late' },
  combine: { words: 'Combine', key: 'c', title: 'Combine several credits for one order' },
  split: { words: 'Split', key: 's', title: 'Split it over orders' },
  back: { words: 'Return', key: 'r', title: 'Send it back to its payer' },
  topUp: { words: 'Top-up', key: 'u', title: "Credit it as a merchant's top-up" },
  payout: { words: 'Returned payout', key: 'p', title: 'It is a payout that came back' },
  interest: { words: 'Interest', key: 'i', title: "It is the bank's interest" },
  twice: { words: 'Reported twice', key: 'd', title: 'It was reported before' },
  off: { words: 'Write off', key: 'w', title: 'Write it off' },
} as const;
/** One of ENDINGS. */
export type Ending = keyof typeof ENDINGS;

const USUAL: Readonly<Record<Ending, readonly string[]>> = {
  late: ['the payer paid after the order ended', 'the payer paid twice'],
  combine: ['the payer paid in parts'],
  split: ['the payer paid several orders at once', 'the payer paid too much'],
  back: ['the payer asked for it', 'paid by a third party', 'not ours'],
  topUp: ['agreed with the merchant'],
  payout: ['the bank gave the payout back'],
  interest: ['interest of the period'],
  twice: ['the statement has it once'],
  off: ['a test of the bank', 'nobody claimed it'],
};

interface Draft {
  readonly orderNo: string;
  readonly merchantId: string;
  readonly amount: string;
  /** Of the credit that it repeats. */
  readonly sameAs: string;
  readonly others: readonly string[];
  readonly lines: readonly { readonly orderNo: string; readonly amount: string }[];
  readonly payeeName: string;
  readonly payeeAccount: string;
  readonly payeeBank: string;
}
type Set = (change: Partial<Draft>) => void;

interface Why {
  readonly reason: string;
  readonly evidence: EvidenceInput;
  readonly idempotencyKey: string;
}
interface Done {
  /** What two people decide on; null where one person was enough. */
  readonly change: ChangeFieldsFragment | null;
}

function Amount({
  draft,
  set,
  transfer,
}: {
  draft: Draft;
  set: Set;
  transfer: Transfer;
}): ReactNode {
  return (
    <TextInput
      label="Amount"
      description="What is left goes on waiting."
      placeholder={formatMoney(transfer.rest, decimalsOf(transfer.currencyCode))}
      value={draft.amount}
      onChange={({ currentTarget: { value } }) => {
        set({ amount: value });
      }}
    />
  );
}

function OrderNo({ draft, set, label }: { draft: Draft; set: Set; label: string }): ReactNode {
  return (
    <TextInput
      label={label}
      value={draft.orderNo}
      onChange={({ currentTarget: { value } }) => {
        set({ orderNo: value.trim() });
      }}
    />
  );
}

function Merchant({ draft, set }: { draft: Draft; set: Set }): ReactNode {
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  return (
    <Select
      label="Merchant"
      searchable
      clearable
      data={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
        value: id,
        label: merchantCode,
      }))}
      value={draft.merchantId || null}
      onChange={(value) => {
        set({ merchantId: value ?? '' });
      }}
    />
  );
}

function Others({
  draft,
  set,
  transfer,
}: {
  draft: Draft;
  set: Set;
  transfer: Transfer;
}): ReactNode {
  const [{ data }] = useQuery({
    query: UnmatchedTransfersDocument,
    variables: { first: 100, filter: { currencyCode: [transfer.currencyCode] } },
  });
  const others = (data?.unmatchedTransfers.nodes ?? []).filter(({ id }) => id !== transfer.id);
  const chosen = others.filter(({ id }) => draft.others.includes(id));
  return (
    <>
      <MultiSelect
        label="With these credits"
        searchable
        data={others.map(({ id, amount, memo, payerName }) => ({
          value: id,
          label: `${formatMoney(amount, decimalsOf(transfer.currencyCode))} ${memo || payerName || id.slice(-6)}`,
        }))}
        value={[...draft.others]}
        onChange={(value) => {
          set({ others: value });
        }}
      />
      <p>
        Together{' '}
        <Money
          amount={sumOf([transfer.rest, ...chosen.map(({ rest }) => rest)])}
          currency={transfer.currencyCode}
        />
      </p>
    </>
  );
}

/** The credits of the same account and amount. */
function SameAs({
  draft,
  set,
  transfer,
}: {
  draft: Draft;
  set: Set;
  transfer: Transfer;
}): ReactNode {
  const { amount, accountId } = transfer;
  const [{ data }] = useQuery({
    query: BankTransfersDocument,
    variables: {
      first: 20,
      filter: { accountId: [accountId], amount: { min: amount, max: amount } },
    },
  });
  return (
    <Select
      label="The first report"
      data={(data?.bankTransfers.nodes ?? [])
        .filter(({ id }) => id !== transfer.id)
        .map(({ id, bankTime, memo, bankReference }) => ({
          value: id,
          label: `${bankTime.slice(0, 16).replace('T', ' ')} UTC ${bankReference ?? (memo || id.slice(-6))}`,
        }))}
      value={draft.sameAs || null}
      onChange={(value) => {
        set({ sameAs: value ?? '' });
      }}
    />
  );
}

function Lines({
  draft,
  set,
  transfer,
}: {
  draft: Draft;
  set: Set;
  transfer: Transfer;
}): ReactNode {
  const put = (n: number, change: Partial<Draft['lines'][number]>): void => {
    set({ lines: draft.lines.map((line, i) => (i === n ? { ...line, ...change } : line)) });
  };
  return (
    <>
      {draft.lines.map((line, n) => (
        <Group key={n} gap="xs" grow>
          <TextInput
            label={`Order ${String(n + 1)}`}
            placeholder="D2026…"
            value={line.orderNo}
            onChange={({ currentTarget: { value } }) => {
              put(n, { orderNo: value.trim() });
            }}
          />
          <TextInput
            label={`Amount ${String(n + 1)}`}
            value={line.amount}
            onChange={({ currentTarget: { value } }) => {
              put(n, { amount: value.trim() });
            }}
          />
        </Group>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          set({ lines: [...draft.lines, { orderNo: '', amount: '' }] });
        }}
      >
        Another order
      </Button>
      <p className="dim">
        <Money amount={transfer.rest} currency={transfer.currencyCode} /> wait. What the orders do
        not get goes on waiting: credit it late, or return it.
      </p>
    </>
  );
}

function Payee({ draft, set }: { draft: Draft; set: Set }): ReactNode {
  const field = (label: string, name: 'payeeName' | 'payeeAccount' | 'payeeBank'): ReactNode => (
    <TextInput
      label={label}
      value={draft[name]}
      onChange={({ currentTarget: { value } }) => {
        set({ [name]: value });
      }}
    />
  );
  return (
    <>
      {field('Name', 'payeeName')}
      {field('Account number', 'payeeAccount')}
      {field('Bank', 'payeeBank')}
    </>
  );
}

/** How each ending is asked for: its fields, whether they are filled in, and what is sent. */
function useEnding(
  ending: Ending,
  transfer: Transfer,
  draft: Draft,
): {
  readonly busy: boolean;
  readonly failure: ReturnType<typeof useAction>['failure'];
  readonly ready: boolean;
  readonly run: (why: Why) => Promise<Done | undefined>;
} {
  const actions = {
    late: useAction(CreditLateMoneyDocument),
    combine: useAction(CombineTransfersDocument),
    split: useAction(SplitTransferDocument),
    back: useAction(ReturnMoneyDocument),
    topUp: useAction(CreditTopUpDocument),
    payout: useAction(ReturnPayoutDocument),
    interest: useAction(PostInterestDocument),
    twice: useAction(DismissDuplicateDocument),
    off: useAction(WriteOffMoneyDocument),
  };
  const transferId = transfer.id;
  const { orderNo, merchantId, others, payeeName, payeeAccount, payeeBank } = draft;
  const amount = draft.amount.trim() || null;
  const lines = draft.lines.filter((line) => line.orderNo !== '' && line.amount !== '');
  const ways: Readonly<
    Record<Ending, { ready: boolean; run: (why: Why) => Promise<Done | undefined> }>
  > = {
    late: {
      ready: (orderNo === '') !== (merchantId === ''),
      run: async (why) => {
        const of = { orderNo: orderNo || null, merchantId: merchantId || null };
        return (await actions.late.run({ transferId, ...of, amount, ...why }))?.creditLateMoney;
      },
    },
    combine: {
      ready: orderNo !== '' && others.length > 0,
      run: async (why) => {
        const transferIds = [transferId, ...others];
        return (await actions.combine.run({ transferIds, orderNo, ...why }))?.combineTransfers;
      },
    },
    split: {
      ready: lines.length > 0,
      run: async (why) =>
        (await actions.split.run({ transferId, parts: lines, ...why }))?.splitTransfer,
    },
    back: {
      ready: payeeName !== '' && payeeAccount !== '',
      run: async (why) => {
        const payee = { name: payeeName, account: payeeAccount, bank: payeeBank || null };
        return (await actions.back.run({ transferId, payee, amount, ...why }))?.returnMoney;
      },
    },
    topUp: {
      ready: merchantId !== '',
      run: async (why) =>
        (await actions.topUp.run({ transferId, merchantId, amount, ...why }))?.creditTopUp,
    },
    payout: {
      ready: orderNo !== '',
      run: async (why) => (await actions.payout.run({ transferId, orderNo, ...why }))?.returnPayout,
    },
    interest: {
      ready: true,
      run: async (why) => (await actions.interest.run({ transferId, ...why }))?.postInterest,
    },
    twice: {
      ready: draft.sameAs !== '',
      run: async (why) =>
        (await actions.twice.run({ transferId, sameAs: draft.sameAs, ...why }))?.dismissDuplicate,
    },
    off: {
      ready: true,
      run: async (why) => (await actions.off.run({ transferId, amount, ...why }))?.writeOffMoney,
    },
  };
  const { busy, failure } = actions[ending];
  return { busy, failure, ...ways[ending] };
}

/** Asks how a bank credit ends. */
export function EndDialog({
  ending,
  transfer,
  onDone,
  onClose,
}: {
  ending: Ending;
  transfer: Transfer;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const final = transfer.candidates.find(({ deposit }) => deposit.status !== 'PENDING')?.deposit;
  const open = transfer.candidates.filter(({ deposit }) => deposit.status === 'PENDING');
  const [draft, change] = useState<Draft>({
    orderNo:
      (ending === 'late' ? final : ending === 'combine' ? open[0]?.deposit : null)?.orderNo ?? '',
    ...{ merchantId: '', amount: '', sameAs: '', others: [] },
    lines: [...open.map(({ deposit }) => deposit), { orderNo: '', amount: '' }]
      .slice(0, 2)
      .map((deposit) => ({ orderNo: deposit.orderNo, amount: deposit.amount })),
    payeeName: transfer.payerName ?? '',
    payeeAccount: transfer.payerAccount ?? '',
    payeeBank: '',
  });
  const set: Set = (changed) => {
    change((before) => ({ ...before, ...changed }));
  };
  const { busy, failure, ready, run } = useEnding(ending, transfer, draft);
  const idempotencyKey = useIdempotencyKey();
  const fields = { draft, set };
  return (
    <ProposeDialog
      title={ENDINGS[ending].title}
      act={ENDINGS[ending].words}
      needsEvidence
      wide={ending === 'split' || ending === 'combine'}
      usual={{ kind: ending, usual: USUAL[ending] }}
      busy={busy}
      failure={failure}
      ready={ready}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence) return;
        const done = await run({ reason, evidence, idempotencyKey });
        if (!done) return;
        if (done.change) notifyProposed(done.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      {ending === 'late' && (
        <>
          <OrderNo {...fields} label="For the ended order" />
          <Merchant {...fields} />
          <Amount {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'combine' && (
        <>
          <OrderNo {...fields} label="Order" />
          <Others {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'split' && <Lines {...fields} transfer={transfer} />}
      {ending === 'back' && (
        <>
          <Payee {...fields} />
          <Amount {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'topUp' && (
        <>
          <Merchant {...fields} />
          <Amount {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'twice' && <SameAs {...fields} transfer={transfer} />}
      {ending === 'payout' && <OrderNo {...fields} label="Withdrawal" />}
      {ending === 'off' && <Amount {...fields} transfer={transfer} />}
    </ProposeDialog>
  );
}

/** The ways to end a bank credit, beside a match. */
export function Endings({ onChoose }: { onChoose: (ending: Ending) => void }): ReactNode {
  const { me } = useSession();
  if (!may(me, 'RECONCILE') && !may(me, 'TREASURER')) return null;
  return (
    <Section title="End it otherwise">
      <Group gap="xs">
        {(Object.keys(ENDINGS) as Ending[]).map((ending) => (
          <Button
            key={ending}
            variant="default"
            size="compact-sm"
            title={`${ENDINGS[ending].title} (${ENDINGS[ending].key})`}
            onClick={() => {
              onChoose(ending);
            }}
          >
            {ENDINGS[ending].words}
          </Button>
        ))}
      </Group>
    </Section>
  );
}
