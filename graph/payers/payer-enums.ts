import { registerEnumType } from 'type-graphql';
import { PAYER_LISTS, PAYER_TRAITS } from '../../domain/payer-lists';
import {
  PAYER_COMPARISONS,
  PAYER_OUTCOMES,
  VELOCITY_COUNTS,
  VELOCITY_OUTCOMES,
  VELOCITY_TRAITS,
} from '../../domain/payer-rules';
import { enumOf } from '../scalars';

export const PayerListEnum = enumOf(PAYER_LISTS);
registerEnumType(PayerListEnum, {
  name: 'PayerList',
  description: 'The lists of payers. If several entries match, the first of these counts.',
  valuesConfig: {
    DENY: { description: 'Creates are refused, and money waits for an operator.' },
    WATCH: { description: 'Orders are marked, and operators are alerted.' },
    ALLOW: { description: 'Orders are not counted, and payers are not compared.' },
  },
});

export const PayerTraitEnum = enumOf(PAYER_TRAITS);
registerEnumType(PayerTraitEnum, {
  name: 'PayerTrait',
  description: 'The trait by which a payer is listed.',
  valuesConfig: {
    NAME: { description: 'The name: its words in any order, without titles and accents.' },
    ACCOUNT: { description: 'The account number, however it is written.' },
    USER: { description: "The merchant's own identifier of its user." },
    EMAIL: { description: 'The e-mail address.' },
    MOBILE: { description: 'The digits of the mobile number.' },
  },
});

export const PayerComparisonEnum = enumOf(PAYER_COMPARISONS);
registerEnumType(PayerComparisonEnum, {
  name: 'PayerComparison',
  description: 'What happens to money whose payer is not the one that the merchant announced.',
  valuesConfig: {
    IGNORE: { description: 'It is matched.' },
    WAIT: { description: 'It waits for an operator.' },
    RETURN: {
      description:
        'It is returned: the task of sending it is opened. It waits for an operator if the bank did not report where it came from.',
    },
  },
});

export const VelocityTraitEnum = enumOf(VELOCITY_TRAITS);
registerEnumType(VelocityTraitEnum, {
  name: 'VelocityTrait',
  description: 'By what the orders of a payer are counted.',
  valuesConfig: {
    USER: { description: "The merchant's own identifier of its user." },
    ACCOUNT: { description: 'The account number, however it is written.' },
    EMAIL: { description: 'The e-mail address.' },
    MOBILE: { description: 'The digits of the mobile number.' },
  },
});

export const VelocityCountEnum = enumOf(VELOCITY_COUNTS);
registerEnumType(VelocityCountEnum, {
  name: 'VelocityCount',
  description: 'What is counted of the orders of a payer.',
  valuesConfig: {
    ATTEMPTS: { description: 'How many there are, the new one included.' },
    AMOUNT: { description: 'Their amounts as asked for, the new one included.' },
    FAILED: { description: 'How many expired, failed or were cancelled.' },
  },
});

export const VelocityOutcomeEnum = enumOf(VELOCITY_OUTCOMES);
registerEnumType(VelocityOutcomeEnum, {
  name: 'VelocityOutcome',
  description: 'What happens if a count is exceeded. Of several, the first of these applies.',
  valuesConfig: {
    REFUSE: { description: 'The create is refused.' },
    WAIT: { description: 'Money for the order on an account waits for an operator.' },
    WATCH: { description: 'The order is marked, and operators are alerted.' },
  },
});

export const PayerOutcomeEnum = enumOf(PAYER_OUTCOMES.filter((one) => one !== 'REFUSE'));
registerEnumType(PayerOutcomeEnum, {
  name: 'PayerOutcome',
  description: 'The findings about the payer of an order at its creation.',
  valuesConfig: {
    WAIT: { description: 'Money for it waits for an operator.' },
    WATCH: { description: 'Operators were alerted.' },
    ALLOW: { description: 'Its payer is on the allowlist.' },
  },
});
