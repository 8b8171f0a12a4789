import type { ChangeKind } from '../domain/change-request';
import { adjustBalance, topUpBalance } from './balance-effects';
import { createBankAccount, setBankAccountStatus, updateBankAccount } from './bank-account-effects';
import type { ChangeEffect } from './change-effect';
import {
  createAgentKey,
  issueApiKey,
  revokeAgentKey,
  revokeApiKey,
  rotateApiKey,
} from './key-effects';
import { createMerchant, updateMerchant } from './merchant-effects';
import {
  createRole,
  deleteRole,
  inviteOperator,
  setOperatorAccess,
  setOperatorDisabled,
  updateRole,
} from './operator-effects';

/** How each kind of change is carried out: here alone, whoever proposed or approved it. */
export const CHANGE_EFFECTS: Readonly<Record<ChangeKind, ChangeEffect>> = {
  CREATE_MERCHANT: createMerchant,
  UPDATE_MERCHANT: updateMerchant,
  ISSUE_API_KEY: issueApiKey,
  ROTATE_API_KEY: rotateApiKey,
  REVOKE_API_KEY: revokeApiKey,
  CREATE_BANK_ACCOUNT: createBankAccount,
  UPDATE_BANK_ACCOUNT: updateBankAccount,
  SET_BANK_ACCOUNT_STATUS: setBankAccountStatus,
  CREATE_AGENT_KEY: createAgentKey,
  REVOKE_AGENT_KEY: revokeAgentKey,
  TOP_UP_BALANCE: topUpBalance,
  ADJUST_BALANCE: adjustBalance,
  INVITE_OPERATOR: inviteOperator,
  SET_OPERATOR_ACCESS: setOperatorAccess,
  SET_OPERATOR_DISABLED: setOperatorDisabled,
  CREATE_ROLE: createRole,
  UPDATE_ROLE: updateRole,
  DELETE_ROLE: deleteRole,
};
