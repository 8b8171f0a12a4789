/** The sandbox's simulated bank reports. */
export type Outcome = 'PAID' | 'WRONG_AMOUNT' | 'EXPIRED';

interface Notice {
  readonly title: string;
  readonly lead: string;
}

/** A text that names the merchant. */
interface HeadingAndText {
  readonly title: string;
  readonly lead: (merchant: string) => string;
}

/** The texts of the page in one language. */
export interface Texts {
  /** The language's own name. */
  readonly name: string;
  /** BCP 47: what the page is marked with, and what amounts and times are written in. */
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  readonly language: string;
  readonly secure: string;
  readonly steps: { readonly choose: string; readonly pay: string; readonly done: string };
  readonly timeLeft: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyOf: (label: string) => string;
  readonly orderNo: string;
  readonly backTo: (merchant: string) => string;
  readonly refresh: string;
  readonly offline: string;
  readonly neverAsk: string;
  readonly choose: {
    readonly title: string;
    readonly other: string;
    readonly own: string;
    readonly range: (least: string, most: string) => string;
    readonly card: string;
    readonly submit: string;
  };
  readonly pay: {
    readonly title: string;
    readonly exact: string;
    readonly withRemark: string;
    readonly amount: string;
    readonly bank: string;
    readonly branch: string;
    readonly accountNo: string;
    readonly scan: string;
    readonly accountHolder: string;
    readonly remark: string;
    readonly from: string;
    readonly waiting: string;
    readonly waitingHint: string;
    readonly paid: string;
  };
  readonly redirect: Notice & { readonly open: string; readonly scan: string };
  readonly preparing: Notice;
  readonly confirming: Notice;
  readonly completed: HeadingAndText & { readonly at: string; readonly amount: string };
  readonly cancelled: Notice;
  readonly failed: Notice;
  readonly expired: Notice;
  readonly sessionExpired: HeadingAndText;
  readonly invalid: Notice;
  readonly unavailable: Notice;
  readonly claim: Notice & {
    readonly question: string;
    readonly reference: string;
    readonly referenceHint: string;
    readonly receipt: string;
    readonly receiptHint: string;
    readonly submit: string;
    readonly back: string;
  };
  readonly claimed: {
    readonly title: string;
    readonly lead: (reference: string) => string;
  };
  readonly problems: Readonly<Record<Problem, string>>;
  readonly sandbox: Notice & {
    readonly simulate: string;
    readonly outcomes: Readonly<Record<Outcome, string>>;
  };
}

/** Why a form was refused. */
export const PROBLEMS = ['amount', 'card', 'reference', 'receipt', 'refused', 'busy'] as const;
export type Problem = (typeof PROBLEMS)[number];
