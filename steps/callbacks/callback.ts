import { openPersonal } from '../../crypto/personal';
import type { Sealer } from '../../crypto/seal';
import { answerTo } from '../../domain/sealed-for';

/** A merchant's answer in clear. */
export const openAnswer = (sealer: Sealer, kept: string | null, notificationId: string): string | null =>
  kept && openPersonal(sealer, kept, answerTo(notificationId));
