import type { Texts } from './texts';

export const en: Texts = {
  name: 'English',
  locale: 'en',
  dir: 'ltr',
  language: 'Language',
  secure: 'Secure payment',
  steps: { choose: 'Amount', pay: 'Transfer', done: 'Done' },
  timeLeft: 'Time left',
  copy: 'Copy',
  copied: 'Copied',
  copyOf: (label) => `Copy: ${label}`,
  orderNo: 'Order number',
  backTo: (merchant) => `Back to ${merchant}`,
  refresh: 'Refresh',
  offline: 'You are offline. This page catches up as soon as you are connected again.',
  neverAsk: 'We never ask for your password, PIN or one-time code.',
  choose: {
    title: 'How much do you want to pay in?',
    other: 'Other amount',
    own: 'Your amount',
    range: (least, most) => `From ${least} to ${most}`,
    card: 'Which account will you pay from?',
    submit: 'Continue',
  },
  pay: {
    title: 'Transfer exactly',
    exact: 'Pay this exact amount. The highlighted digits tell your payment apart from all others.',
    withRemark:
      'Copy the remark into the note of your transfer. It is how we recognise your payment.',
    amount: 'Amount',
    bank: 'Bank',
    branch: 'Branch',
    accountNo: 'Account number',
    accountHolder: 'Account name',
    remark: 'Remark',
    from: 'Pay from',
    waiting: 'Waiting for your transfer',
    waitingHint: 'Switch to your bank app and come back: this page updates itself.',
    paid: 'I have paid, but nothing happens',
  },
  redirect: {
    title: 'Your payment is ready',
    lead: 'Complete it on the page of our payment partner, then come back here.',
    open: 'Continue to payment',
    scan: 'Or scan this code with your phone',
  },
  preparing: {
    title: 'Preparing your payment',
    lead: 'The details will be here in a few seconds.',
  },
  confirming: {
    title: 'We have your payment',
    lead: 'It is being confirmed. This usually takes a moment; you need not do anything.',
  },
  completed: {
    title: 'Payment completed',
    lead: (merchant) => `Thank you. ${merchant} has your payment.`,
    at: 'Completed',
    amount: 'Amount paid',
  },
  cancelled: {
    title: 'This payment was cancelled',
    lead: 'Please do not transfer anything for it any more.',
  },
  failed: {
    title: 'This payment did not go through',
    lead: 'Please do not transfer anything for it. You can start again whenever you like.',
  },
  expired: {
    title: 'The time to pay is over',
    lead: 'Please do not transfer to this account any more. Start a new payment instead.',
  },
  sessionExpired: {
    title: 'This page has expired',
    lead: (merchant) => `Nothing was charged. Go back to ${merchant} to start again.`,
  },
  replaced: {
    title: 'There is a newer link',
    lead: (merchant) =>
      `This payment was opened again at ${merchant}. Please continue on the page that opened last.`,
  },
  invalid: {
    title: 'This link does not work',
    lead: 'It is incomplete or no longer valid. Please go back to where you came from and start again.',
  },
  trouble: {
    title: 'One moment, please',
    lead: 'We cannot show your payment right now. Nothing is lost: this page tries again by itself.',
  },
  claim: {
    question: 'Already paid?',
    title: 'Tell us about your payment',
    lead: 'A person compares what you send with the bank statement. Please do not pay a second time.',
    reference: 'Bank reference',
    referenceHint: 'The transaction number on your bank’s receipt',
    receipt: 'Picture of the receipt (optional)',
    receiptHint: 'PNG, JPEG or WebP, up to 2 MB',
    submit: 'Send',
    back: 'Back to the payment details',
  },
  claimed: {
    title: 'Thank you, we are looking into it',
    lead: (reference) =>
      `You sent the reference ${reference}. A person compares it with the bank statement; you need not pay again.`,
  },
  problems: {
    amount: 'Please choose an amount, or enter one within the range.',
    card: 'Please choose the account you will pay from.',
    reference: 'Please enter the reference that your bank shows.',
    receipt: 'The picture must be PNG, JPEG or WebP and at most 2 MB.',
    refused: 'That was not possible any more. This is how things stand now.',
    busy: 'That was too much at once. Please try again in a moment.',
  },
  sandbox: {
    title: 'Test mode',
    lead: 'No real money moves here.',
    simulate: 'Play the bank',
    outcomes: {
      PAID: 'Payment arrives',
      WRONG_AMOUNT: 'Wrong amount arrives',
      EXPIRED: 'Time runs out',
    },
  },
};
