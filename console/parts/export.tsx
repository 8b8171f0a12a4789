import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import type { Failure } from '../client/failure';
import { may } from '../client/permission';
import { useSession } from '../client/session';
import { count } from '../format/words';
import type { ExportFieldsFragment } from '../generated/operations';
import { saveFile } from './file';
import { Icon } from './icons';
import { ReasonDialog } from './reason';

/** Who may export a list. */
const EXPORTERS = ['SUPPORT', 'RECONCILE', 'TREASURER', 'ADMIN'] as const;

/** Requests one part of an export: the rows after a cursor. Undefined if it was refused. */
export type TakePart = (reason: string, after: string | null) => Promise<ExportFieldsFragment | undefined>;

/** A button that saves the whole list as one file, part by part; null without the permission. */
export function ExportButton({
  noun,
  take,
  busy,
  failure,
}: {
  /** "deposit": one row. */
  noun: string;
  take: TakePart;
  busy: boolean;
  failure: Failure | null;
}): ReactNode {
  const { me } = useSession();
  const [open, setOpen] = useState(false);
  if (!EXPORTERS.some((one) => may(me, one))) return null;
  const save = async (reason: string): Promise<void> => {
    const parts: ExportFieldsFragment[] = [];
    for (let after: string | null = null; ;) {
      const part = await take(reason, after);
      if (!part) return;
      parts.push(part);
      if (!part.cut) break;
      after = part.endCursor ?? null;
    }
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const content = parts.map(({ csv }) => csv).join('');
    saveFile(parts[0]?.fileName ?? `${noun}s.csv`, content, 'text/csv;charset=utf-8');
    notifications.show({ message: `${count(rows, noun)} exported.`, color: 'tide' });
    setOpen(false);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="down" />}
        onClick={() => {
          setOpen(true);
        }}
      >
        Export
      </Button>
      {open && (
        <ReasonDialog
          title="Export this list"
          act="Export"
          busy={busy}
          failure={failure}
          onAct={(reason) => {
            void save(reason);
          }}
          onClose={() => {
            setOpen(false);
          }}
        >
          Exports every row that matches the filters as a file for spreadsheets, in the order of the list, times in UTC.
          The export is recorded in the audit log.
        </ReasonDialog>
      )}
    </>
  );
}
