import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { AlertMailsDocument, SetAlertMailsDocument } from '../../generated/operations';

/** Turns mails about alerts on or off. */
export function AlertMails(): ReactNode {
  const [{ data }, ask] = useQuery({ query: AlertMailsDocument });
  const set = useAction(SetAlertMailsDocument, 'Saved.');
  if (!data || data.me.email === null) return null;
  return (
    <Switch
      label={`Mail them to ${data.me.email}`}
      checked={data.me.alertMails}
      disabled={set.busy}
      onChange={(event) => {
        void set.run({ wanted: event.currentTarget.checked }).then(() => {
          ask({ requestPolicy: 'network-only' });
        });
      }}
    />
  );
}
