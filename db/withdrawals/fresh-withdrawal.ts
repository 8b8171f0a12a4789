import { ZERO } from '../../domain/money';

/** The initial values of a withdrawal. */
export const FRESH = {
  actualAmount: ZERO,
  feeScheduleId: null,
  feeVolume: null,
  volumeMonth: null,
  commissionRateId: null,
  escalatedAt: null,
  claimedBy: null,
  claimedAt: null,
  approvalRemarks: null,
  payoutMethod: null,
  accountId: null,
  channelId: null,
  channelOrderNo: null,
  estimatedChannelCost: null,
  actualChannelCost: null,
  processedAt: null,
  completedAt: null,
  endedAt: null,
  endReason: null,
  bankReference: null,
  needsManualIntervention: false,
  manualReason: null,
  countedDay: null,
} as const;
