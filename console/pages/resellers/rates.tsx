import { Group, Select, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { formatMoney } from '../../format/money';
import {
  type CommissionRateRowFragment,
  CommissionRatesDocument,
  MerchantChoicesDocument,
  PutCommissionRateDocument,
} from '../../generated/operations';
import { Section } from '../../parts/page';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';

const ORDERS = { DEPOSIT: 'Deposits', WITHDRAWAL: 'Withdrawals' } as const;
type Orders = keyof typeof ORDERS;

const COLUMNS: readonly Column<CommissionRateRowFragment>[] = [
  {
    key: 'merchant',
    title: 'Merchant',
    cell: ({ merchant }) => <Link to={`/merchants/${merchant.id}`}>{merchant.merchantCode}</Link>,
  },
  {
    key: 'reseller',
    title: 'Reseller',
    cell: ({ reseller }) => reseller.name,
  },
  {
    key: 'orders',
    title: 'Fees of',
    cell: ({ currencyCode, orderKind }) => `${currencyCode} ${ORDERS[orderKind].toLowerCase()}`,
  },
  {
    key: 'share',
    title: 'Share',
    numeric: true,
    cell: ({ percent, ends }) => (ends ? 'ends' : `${formatMoney(percent, 0)} %`),
  },
  { key: 'from', title: 'From', cell: ({ effectiveFrom }) => <Time at={effectiveFrom} /> },
  { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => String(version) },
  { key: 'state', title: 'In force', cell: ({ inForce }) => (inForce ? 'Yes' : 'No') },
];

/** The versions of commission rates. */
export function RateRows({
  rates,
  without,
}: {
  rates: readonly CommissionRateRowFragment[];
  /** The column to omit, because the page names it. */
  without: 'merchant' | 'reseller';
}): ReactNode {
  return (
    <Rows
      label="Commission rates"
      columns={COLUMNS.filter(({ key }) => key !== without)}
      rows={rates}
      keyOf={({ id }) => id}
    />
  );
}

/** The resellers of a merchant's fees; nothing if there never was one. */
export function MerchantCommissions({ merchantId }: { merchantId: string }): ReactNode {
  const [{ data }] = useQuery({ query: CommissionRatesDocument, variables: { merchantId } });
  const rates = data?.merchant?.commissionRates ?? [];
  if (rates.length === 0) return null;
  return (
    <Section title="Commissions" flush>
      <RateRows rates={rates} without="merchant" />
    </Section>
  );
}

/** Proposes the next version of a reseller's share. */
export function EditRate({
  resellerId,
  name,
  onClose,
}: {
  resellerId: string;
  name: string;
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutCommissionRateDocument);
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const [merchantId, setMerchant] = useState<string | null>(null);
  const [currencyCode, setCurrency] = useState<string | null>(null);
  const [orderKind, setOrders] = useState<Orders>('DEPOSIT');
  const [percent, setPercent] = useState('');
  const [begins, setBegins] = useState('');
  const [ends, setEnds] = useState(false);
  const merchants = data?.merchants.nodes ?? [];
  const currencies = merchants.find(({ id }) => id === merchantId)?.currencies ?? [];
  return (
    <ProposeDialog
      title={`Commission rate of ${name}`}
      busy={put.busy}
      failure={put.failure}
      ready={merchantId !== null && currencyCode !== null && /^\d+(\.\d{1,4})?$/.test(percent)}
      onPropose={async (why) => {
        const input = {
          merchantId: merchantId ?? '',
          currencyCode: currencyCode ?? '',
          orderKind,
          resellerId,
          percent,
          ends,
          effectiveFrom: begins === '' ? null : new Date(begins).toISOString(),
        };
        const done = await put.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.putCommissionRate.change);
        onClose();
      }}
      onClose={onClose}
    >
      <p>A share of the merchant’s fees, of orders that are created from then on.</p>
      <Select
        label="Merchant"
        searchable
        data={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
        value={merchantId}
        onChange={(id) => {
          setMerchant(id);
          setCurrency(null);
        }}
      />
      <Group grow>
        <Select
          label="Currency"
          data={currencies.map((one) => one.currencyCode)}
          value={currencyCode}
          onChange={setCurrency}
        />
        <Select
          label="Fees of"
          data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
          value={orderKind}
          allowDeselect={false}
          onChange={(value) => {
            if (value === 'DEPOSIT' || value === 'WITHDRAWAL') setOrders(value);
          }}
        />
      </Group>
      <Group grow align="flex-end">
        <TextInput
          label="Percent of the fee"
          inputMode="decimal"
          value={percent}
          onChange={({ currentTarget: { value } }) => {
            setPercent(value.trim());
          }}
          required
        />
        <TextInput
          label="From"
          description="Empty: once it is approved"
          type="datetime-local"
          value={begins}
          onChange={({ currentTarget: { value } }) => {
            setBegins(value);
          }}
        />
      </Group>
      <Switch
        label="End it: nobody earns a share after that"
        checked={ends}
        onChange={({ currentTarget: { checked } }) => {
          setEnds(checked);
        }}
      />
    </ProposeDialog>
  );
}
