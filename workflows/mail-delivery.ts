import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { MailActivities } from '../temporal/activities/mails';
import { BACKGROUND_TASK_QUEUE, listenForChanges } from './shared';

/** Written with the mail's row; contains no address and no part of its link. */
export interface MailDeliveryStart {
  readonly version: 1;
  readonly mailId: string;
  /** What the mail is about, such as `tenant_owner_invite`. */
  readonly event: string;
}

/** Temporal sets no maximum: attempts end when the mail's link expires. */
const { sendMail } = proxyActivities<MailActivities>({
  taskQueue: BACKGROUND_TASK_QUEUE,
  startToCloseTimeout: '90s',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m' },
});

/** Sends one mail: retries until the mail server has accepted or refused it, or its link has expired. */
export async function mailDelivery({ mailId, event }: MailDeliveryStart): Promise<'SENT' | 'FAILED'> {
  // The signal is accepted and ignored: only this workflow changes a mail's row.
  listenForChanges();
  setCurrentDetails(`${event}: tried until the mail server takes it or its link has ended`);
  const status = await sendMail(mailId);
  setCurrentDetails(`${status}: nothing more to do`);
  return status;
}
