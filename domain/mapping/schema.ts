import { type Static, Type } from 'typebox';

/*
 * How a channel speaks to a provider, declared as data (docs/channels.md, "Mapping a provider"). This is its form; what
 * belongs together is checked in check.ts.
 */

const strict = { additionalProperties: false } as const;

/** A JSON pointer (RFC 6901) into a message; of a query string or a form it has one segment. */
const Pointer = Type.String({ pattern: '^(/([^~/]|~[01])+)+$', maxLength: 256 });
/** A text with `{variables}` (template.ts). */
const Template = Type.String({ maxLength: 4_096 });
const Name = Type.String({ minLength: 1, maxLength: 128 });
const HeaderName = Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$" });
const Decimal = Type.String({ pattern: '^(0|[1-9]\\d{0,13})(\\.\\d{1,4})?$' });
const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number]>(Type.Enum([...values]));

/** How amounts are written: in units with a fixed number of decimals, or as a count of the smallest unit. */
const MoneyFormat = Type.Object(
  { unit: oneOf('major', 'minor'), digits: Type.Integer({ minimum: 0, maximum: 4 }) },
  strict,
);

/** How times are written: epoch_s, epoch_ms, rfc3339, or a pattern such as yyyy-MM-dd HH:mm:ss in a zone. */
const TimeFormat = Type.Object(
  {
    format: Type.String({ minLength: 1, maxLength: 64 }),
    zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  strict,
);

/** One value of a request. Where a variable of it has no value, it is left out. */
const Field = Type.Object({ to: Pointer, value: Template, as: Type.Optional(oneOf('text', 'number', 'json')) }, strict);
const Header = Type.Object({ name: HeaderName, value: Template }, strict);
const NamedValue = Type.Object({ name: Name, value: Template }, strict);

/** A fact of an answer: its HTTP status, a value, or a value that is not there. */
const Condition = Type.Union([
  Type.Object({ http: Type.Array(Type.Integer({ minimum: 200, maximum: 499 }), { minItems: 1 }) }, strict),
  Type.Object({ at: Pointer, is: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }) }, strict),
  Type.Object({ absent: Pointer }, strict),
]);
const Conditions = Type.Array(Condition, { maxItems: 20 });

/** A request: where it goes and what it holds. */
const request = {
  method: oneOf('GET', 'POST'),
  path: Template,
  encoding: oneOf('none', 'query', 'form', 'json'),
  headers: Type.Optional(Type.Array(Header, { maxItems: 20 })),
  fields: Type.Array(Field, { maxItems: 100 }),
  /** Of JSON: keys in the order of their bytes, and `<`, `>` and `&` written as \u003c, \u003e and \u0026. */
  sortKeys: Type.Optional(Type.Boolean()),
  escapeHtml: Type.Optional(Type.Boolean()),
  /** Where this request writes amounts otherwise. */
  money: Type.Optional(MoneyFormat),
  /** It is not signed: a header or a field holds a token. */
  unsigned: Type.Optional(Type.Boolean()),
};

/** What an answer names of the order. */
const named = {
  reference: Type.Optional(Pointer),
  amount: Type.Optional(Pointer),
  currency: Type.Optional(Pointer),
  channelOrderNo: Type.Optional(Pointer),
  reason: Type.Optional(Pointer),
};
const details = {
  paymentUrl: Type.Optional(Pointer),
  /** Our names, such as bank_code, to where the answer has them. */
  paymentInfo: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$' }), Pointer)),
};
const outcome = {
  status: Pointer,
  cost: Type.Optional(Pointer),
  /** All must hold, or the answer says nothing. */
  found: Conditions,
  /** Any of them: the provider's book has no such order. */
  notFound: Conditions,
};

/** What a request to open or to send is answered: never a final outcome but a refusal. */
const Taken = Type.Object(
  {
    ...named,
    ...details,
    /** All must hold: the provider took it. */
    taken: Type.Array(Condition, { minItems: 1, maxItems: 20 }),
    /** Any of them: it did not take it and never will. */
    refused: Conditions,
  },
  strict,
);

const OpenOperation = Type.Object({ ...request, answer: Taken }, strict);
const QueryDepositOperation = Type.Object(
  {
    ...request,
    answer: Type.Object(
      {
        ...named,
        ...details,
        ...outcome,
        paidAmount: Type.Optional(Pointer),
        statuses: Type.Record(Type.String(), oneOf('opened', 'matched', 'completed', 'failed')),
      },
      strict,
    ),
  },
  strict,
);
const QueryPayoutOperation = Type.Object(
  {
    ...request,
    answer: Type.Object(
      {
        ...named,
        ...outcome,
        bankReference: Type.Optional(Pointer),
        statuses: Type.Record(Type.String(), oneOf('accepted', 'completed', 'failed', 'returned')),
      },
      strict,
    ),
  },
  strict,
);
const BalanceOperation = Type.Object(
  {
    ...request,
    answer: Type.Object({ found: Conditions, balance: Pointer, currency: Type.Optional(Pointer) }, strict),
  },
  strict,
);
const HealthOperation = Type.Object(
  {
    ...request,
    answer: Type.Object({ up: Type.Array(Condition, { minItems: 1, maxItems: 20 }) }, strict),
  },
  strict,
);
const ListOperation = Type.Object(
  {
    ...request,
    answer: Type.Object(
      {
        found: Conditions,
        items: Pointer,
        reference: Pointer,
        amount: Pointer,
        currency: Type.Optional(Pointer),
        status: Pointer,
      },
      strict,
    ),
  },
  strict,
);

/** Which values are signed and how they are written into one text. */
const SignedFields = Type.Object(
  {
    /** Those of the message, or these. */
    of: Type.Union([Type.Literal('message'), Type.Array(NamedValue, { minItems: 1, maxItems: 50 })]),
    except: Type.Optional(Type.Array(Name, { maxItems: 50 })),
    order: oneOf('sorted', 'given'),
    /** Between name and value; null: values alone. */
    assign: Type.Union([Type.String({ maxLength: 8 }), Type.Null()]),
    separator: Type.String({ maxLength: 8 }),
    skipEmpty: Type.Boolean(),
    encode: oneOf('none', 'uri', 'form'),
  },
  strict,
);

const signature = {
  algorithm: oneOf('MD5', 'HMAC_SHA256', 'HMAC_SHA512', 'RSA_SHA256', 'RSA_SHA1', 'ED25519'),
  /** The text that is signed, such as `{fields}&key={secret}`. */
  text: Template,
  fields: Type.Optional(SignedFields),
  output: oneOf('hex', 'HEX', 'base64'),
  put: Type.Object(
    {
      in: oneOf('header', 'field'),
      name: Name,
      prefix: Type.Optional(Type.String({ maxLength: 64 })),
    },
    strict,
  ),
};
const Signature = Type.Object(signature, strict);

/** What the provider reports to us by itself. */
const Webhook = Type.Object(
  {
    encoding: oneOf('json', 'form', 'query'),
    signature: Type.Object(
      {
        ...signature,
        /** The provider's public key, of RSA and Ed25519, such as `{set.provider_key}`. */
        verifyKey: Type.Optional(Template),
      },
      strict,
    ),
    /** The first that is there: deposits and payouts may name their reference otherwise. */
    reference: Type.Array(Pointer, { minItems: 1, maxItems: 5 }),
    status: Pointer,
    statuses: Type.Record(Type.String(), oneOf('accepted', 'opened', 'matched', 'completed', 'failed', 'returned')),
    /** The provider's id of the message; without one the bytes name it. */
    messageId: Type.Optional(Pointer),
    /** What the provider takes for our receipt. */
    answer: Type.Object(
      {
        status: Type.Integer({ minimum: 200, maximum: 299 }),
        contentType: Type.String({ pattern: '^[a-z]+/[a-z0-9.+-]+(; ?charset=[A-Za-z0-9-]+)?$' }),
        body: Type.String({ maxLength: 1_024 }),
      },
      strict,
    ),
  },
  strict,
);

/** Values that differ between a sandbox and production, such as the merchant's number there. */
const Settings = Type.Object(
  {
    /** Replaces the channel's own address. */
    baseUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    values: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$' }), Type.String({ maxLength: 4_096 })),
  },
  strict,
);

/** A signature that the provider has published, with its key: the string rules are tried by it. */
const SigningSample = Type.Object(
  {
    name: Name,
    of: oneOf('request', 'webhook'),
    /** The published secret, or private key. */
    key: Type.String({ minLength: 1, maxLength: 8_192 }),
    values: Type.Optional(Type.Record(Type.String(), Type.String())),
    fields: Type.Optional(Type.Array(NamedValue, { maxItems: 100 })),
    signature: Type.String({ minLength: 1, maxLength: 2_048 }),
  },
  strict,
);

/** An answer of the provider as recorded, and what it means. */
const AnswerSample = Type.Object(
  {
    name: Name,
    operation: oneOf('openDeposit', 'queryDeposit', 'sendPayout', 'queryPayout'),
    asked: Type.Object({ reference: Name, amount: Decimal, currency: Type.String({ pattern: '^[A-Z]{3}$' }) }, strict),
    http: Type.Integer({ minimum: 100, maximum: 599 }),
    body: Type.String({ maxLength: 16_384 }),
    means: oneOf(
      ...([
        'OPENED',
        'MATCHED',
        'ACCEPTED',
        'COMPLETED',
        'FAILED',
        'RETURNED',
        'REFUSED',
        'NOT_FOUND',
        'UNKNOWN',
      ] as const),
    ),
  },
  strict,
);

/** A report of the provider as recorded, and what it means. */
const WebhookSample = Type.Object(
  {
    name: Name,
    /** The key that verifies it: the published secret, or the public key. */
    key: Type.String({ minLength: 1, maxLength: 8_192 }),
    headers: Type.Record(HeaderName, Type.String({ maxLength: 4_096 })),
    query: Type.Optional(Type.String({ maxLength: 4_096 })),
    body: Type.String({ maxLength: 16_384 }),
    reference: Name,
    reports: oneOf('accepted', 'opened', 'matched', 'completed', 'failed', 'returned'),
  },
  strict,
);

/** A declared mapping: everything that distinguishes one provider from another. */
export const Mapping = Type.Object(
  {
    /** The provider's public document that it is written from. */
    document: Type.String({ minLength: 1, maxLength: 512 }),
    settings: Type.Object({ sandbox: Settings, production: Settings }, strict),
    /** The one currency of a provider whose answers name none. */
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    money: MoneyFormat,
    time: TimeFormat,
    /** Payers' contact data, as merchants send it, is forwarded. */
    acceptsContact: Type.Boolean(),
    /** The most that a reported cost may be: percent of the amount, and a fixed part. Beyond it an alert is raised. */
    cost: Type.Optional(Type.Object({ maxPercent: Decimal, maxFixed: Decimal }, strict)),
    signature: Signature,
    operations: Type.Object(
      {
        openDeposit: Type.Optional(OpenOperation),
        queryDeposit: Type.Optional(QueryDepositOperation),
        sendPayout: Type.Optional(OpenOperation),
        queryPayout: Type.Optional(QueryPayoutOperation),
        balance: Type.Optional(BalanceOperation),
        health: Type.Optional(HealthOperation),
        listPayouts: Type.Optional(ListOperation),
      },
      strict,
    ),
    webhook: Type.Optional(Webhook),
    samples: Type.Object(
      {
        signing: Type.Array(SigningSample, { maxItems: 20 }),
        answers: Type.Array(AnswerSample, { maxItems: 50 }),
        webhooks: Type.Array(WebhookSample, { maxItems: 20 }),
      },
      strict,
    ),
  },
  strict,
);

type Readonlied<T> = T extends (infer Item)[]
  ? readonly Readonlied<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Readonlied<T[Key]> }
    : T;
/** A valid mapping. */
export type Mapping = Readonlied<Static<typeof Mapping>>;
/** What goes to the provider by one request. */
export type MappedRequest = Omit<NonNullable<Mapping['operations']['openDeposit']>, 'answer'>;
/** A rule by which messages are signed. */
export type SignatureRule = Mapping['signature'];
export type SignedFieldsRule = NonNullable<SignatureRule['fields']>;
/** How amounts are written. */
export type MoneyFormat = Mapping['money'];
/** How times are written. */
export type TimeFormat = Mapping['time'];
/** A fact of an answer. */
export type Condition = Readonlied<Static<typeof Condition>>;
