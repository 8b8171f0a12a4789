import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { useClient } from 'urql';
import { failureOf } from '../client/failure';
import { TransferProofFileDocument } from '../generated/operations';
import { saveFile } from './file';
import { Icon } from './icons';

const NAMES: Readonly<Record<string, readonly [words: string, ending: string]>> = {
  'image/png': ['PNG picture', 'png'],
  'image/jpeg': ['JPEG picture', 'jpg'],
  'image/webp': ['WebP picture', 'webp'],
  'application/pdf': ['PDF', 'pdf'],
};

/** A link to save a manual payout's proof. The file is never shown: nothing has checked its content. */
export function ProofLink({ id, type, orderNo }: { id: string; type: string; orderNo: string }): ReactNode {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [words, ending] = NAMES[type] ?? ['File', 'bin'];
  const fetchAndSave = async (): Promise<void> => {
    setBusy(true);
    const { data, error } = await client
      .query(TransferProofFileDocument, { id }, { requestPolicy: 'network-only' })
      .toPromise();
    setBusy(false);
    const file = data?.transferProofFile;
    if (file) {
      const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
      saveFile(`${orderNo}-${id.slice(-6)}.${ending}`, bytes, 'application/octet-stream');
    } else if (error) notifications.show({ message: failureOf(error).message, color: 'red.8' });
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={busy}
      onClick={() => void fetchAndSave()}
      leftSection={<Icon name="down" />}
    >
      Save the {words}
    </Button>
  );
}
