import { Button, Group, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { count } from '../../format/words';
import { ExportBillingDayDocument, type ExportFieldsFragment } from '../../generated/operations';
import { saveFile } from '../../parts/file';
import { Icon } from '../../parts/icons';
import { ReasonDialog } from '../../parts/reason';

const EXPORTERS = ['SUPPORT', 'RECONCILE', 'TREASURER', 'ADMIN'] as const;

interface Choice {
  readonly id: string;
  readonly merchantCode: string;
}

function DayFileDialog({ merchants, onClose }: { merchants: readonly Choice[]; onClose: () => void }): ReactNode {
  const take = useAction(ExportBillingDayDocument);
  const [merchantId, setMerchant] = useState<string | null>(null);
  const [currencyCode, setCurrency] = useState('');
  const [day, setDay] = useState('');
  const save = async (reason: string): Promise<void> => {
    const filter = { merchantId: merchantId ?? '', currencyCode, day };
    const parts: ExportFieldsFragment[] = [];
    for (let after: string | null = null; ;) {
      const done = await take.run({ reason, filter, after });
      if (!done) return;
      const part: ExportFieldsFragment = done.exportBillingDay;
      parts.push(part);
      if (!part.cut) break;
      after = part.endCursor ?? null;
    }
    const code = merchants.find(({ id }) => id === merchantId)?.merchantCode ?? '';
    const content = parts.map(({ csv }) => csv).join('');
    saveFile(`${code}-${currencyCode}-${day}.csv`, content, 'text/csv;charset=utf-8');
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    notifications.show({ message: `${count(rows, 'posting')} exported.`, color: 'tide' });
    onClose();
  };
  return (
    <ReasonDialog
      title="Reconciliation file of a day"
      act="Export"
      busy={take.busy}
      failure={take.failure}
      ready={merchantId !== null && /^[A-Z]{3}$/.test(currencyCode) && day !== ''}
      onAct={(reason) => {
        void save(reason);
      }}
      onClose={onClose}
    >
      <p>
        Every posting of a day that has ended in the merchant’s time zone, with a running balance. The export is
        recorded in the audit log.
      </p>
      <Select
        label="Merchant"
        searchable
        data={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
        value={merchantId}
        onChange={setMerchant}
      />
      <Group grow>
        <TextInput
          label="Currency"
          maxLength={3}
          value={currencyCode}
          onChange={({ currentTarget: { value } }) => {
            setCurrency(value.toUpperCase());
          }}
        />
        <TextInput
          label="Day"
          type="date"
          value={day}
          onChange={({ currentTarget: { value } }) => {
            setDay(value);
          }}
        />
      </Group>
    </ReasonDialog>
  );
}

/** A button that saves a merchant's postings of one day; null without the permission. */
export function DayFile({ merchants }: { merchants: readonly Choice[] }): ReactNode {
  const { me } = useSession();
  const [open, setOpen] = useState(false);
  if (!EXPORTERS.some((one) => may(me, one))) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="down" />}
        onClick={() => {
          setOpen(true);
        }}
      >
        File of a day
      </Button>
      {open && (
        <DayFileDialog
          merchants={merchants}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
