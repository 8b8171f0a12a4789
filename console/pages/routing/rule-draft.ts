import type { PayerTier, RoutingRuleInput, RoutingRulesFieldsFragment, WalletKind } from '../../generated/operations';
import { formatMoney } from '../../format/money';

/** A group, as its form holds it: targets as `KIND:id`, and their weights as a text. */
export interface GroupDraft {
  readonly targets: readonly string[];
  /** Numbers in the order of the targets; "": equal weights. */
  readonly weights: string;
}

/** A rule, as its form holds it: texts, "" is none. */
export interface RuleDraft {
  /** Its key while it is edited. */
  readonly key: string;
  readonly name: string;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly merchantIds: readonly string[];
  readonly payerTiers: readonly PayerTier[];
  readonly walletKinds: readonly WalletKind[];
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly refuses: boolean;
  readonly stickyPayer: boolean;
  readonly groups: readonly GroupDraft[];
}

/** The merchant's own pool, in the form's notation. */
export const OWN_POOL = 'POOL:';

let made = 0;
const nextKey = (): string => `rule-${String(++made)}`;

/** A new rule: it routes as without rules. */
export const newRule = (): RuleDraft => ({
  key: nextKey(),
  name: '',
  minAmount: '',
  maxAmount: '',
  merchantIds: [],
  payerTiers: [],
  walletKinds: [],
  from: '',
  to: '',
  timeZone: 'UTC',
  refuses: false,
  stickyPayer: false,
  groups: [{ targets: [OWN_POOL], weights: '' }],
});

type Rule = RoutingRulesFieldsFragment['rules'][number];

const plain = (amount: string | null | undefined): string =>
  amount == null ? '' : formatMoney(amount, 0).replaceAll(',', '');

/** A rule of an existing version, to edit. */
export const draftOf = (rule: Rule): RuleDraft => ({
  key: nextKey(),
  name: rule.name,
  merchantIds: rule.merchantIds,
  minAmount: plain(rule.minAmount),
  maxAmount: plain(rule.maxAmount),
  payerTiers: rule.payerTiers,
  walletKinds: rule.walletKinds,
  from: rule.hours?.from ?? '',
  to: rule.hours?.to ?? '',
  timeZone: rule.hours?.timeZone ?? 'UTC',
  refuses: rule.refuses,
  stickyPayer: rule.stickyPayer,
  groups: rule.groups.map(({ targets }) => ({
    targets: targets.map(({ kind, id }) => `${kind}:${id ?? ''}`),
    weights: targets.every(({ weight }) => weight === targets[0]?.weight)
      ? ''
      : targets.map(({ weight }) => weight).join(', '),
  })),
});

const AMOUNT = /^\d+(\.\d{1,4})?$/;
const TIME = /^\d\d:\d\d$/;
const NUMBERS = /^\s*\d+(\s*,\s*\d+)*\s*$/;

const weightsOf = (text: string): number[] =>
  text.trim() === '' ? [] : text.split(',').map((part) => Number(part.trim()));

const isGroup = ({ targets, weights }: GroupDraft): boolean =>
  targets.length > 0 &&
  (weights.trim() === '' || (NUMBERS.test(weights) && weightsOf(weights).length === targets.length));

/** Whether a rule is complete: the platform checks the rest. */
export const isWritten = (rule: RuleDraft): boolean =>
  rule.name.trim() !== '' &&
  [rule.minAmount, rule.maxAmount].every((text) => text === '' || AMOUNT.test(text)) &&
  ((rule.from === '' && rule.to === '') || (TIME.test(rule.from) && TIME.test(rule.to))) &&
  (rule.refuses || (rule.groups.length > 0 && rule.groups.every(isGroup)));

/** A rule, as the API takes it. */
export const inputOf = (rule: RuleDraft): RoutingRuleInput => ({
  name: rule.name.trim(),
  merchantIds: rule.merchantIds,
  payerTiers: rule.payerTiers,
  minAmount: rule.minAmount || null,
  maxAmount: rule.maxAmount || null,
  walletKinds: rule.walletKinds,
  refuses: rule.refuses,
  hours: rule.from === '' ? null : { from: rule.from, to: rule.to, timeZone: rule.timeZone.trim() },
  stickyPayer: !rule.refuses && rule.stickyPayer,
  groups: rule.refuses
    ? []
    : rule.groups.map(({ targets, weights }) => ({
        targets: targets.map((target, at) => {
          const [kind = 'POOL', id = ''] = target.split(':');
          return {
            kind: kind as 'POOL' | 'ACCOUNT' | 'CHANNEL',
            id: id === '' ? null : id,
            weight: weightsOf(weights)[at] ?? 1,
          };
        }),
      })),
});
