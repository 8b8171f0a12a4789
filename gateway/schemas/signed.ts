import { Type } from 'typebox';

/**
 * The headers of every merchant request (contract, "Authentication"). Admission checks them; this schema documents
 * them.
 */
export const MerchantHeaders = Type.Object({
  'x-api-key': Type.String({ description: "The merchant's api key." }),
  'x-timestamp': Type.String({
    description: 'Unix seconds at the time of the request, at most 300 from our clock.',
  }),
  'x-signature': Type.String({
    description:
      'Lower-case hex MD5 of the signing string followed by the api key. The signing string is the parameters ' +
      '(the fields of the JSON body, or the query) and `timestamp`, as `key=value` joined by `&`, sorted by key. ' +
      'Null is dropped and "" kept. Strings count decoded; numbers, booleans and nested values exactly as they ' +
      'stand in the body.',
  }),
});

/** The headers of an agent's notification (docs/bank-notifications.md). */
export const AgentHeaders = Type.Object({
  'x-agent-key': Type.String({ description: "The id of the agent's key." }),
  'x-agent-timestamp': Type.String({
    description: 'Unix seconds at the time of the request, at most 300 from our clock.',
  }),
  'x-agent-nonce': Type.String({
    description: '8-128 of A-Z a-z 0-9 _ -, new with each request.',
  }),
  'x-agent-signature': Type.String({
    description: 'Hex HMAC-SHA256 under the secret over `timestamp.nonce.body`.',
  }),
});
