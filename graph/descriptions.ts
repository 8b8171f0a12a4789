/** Descriptions that many arguments and fields of the schema share. */

/** Of an argument `reason`. */
export const REASON = 'Why, in your own words; must not be empty. Kept in the audit log.';
/** Of an argument `evidence`. */
export const EVIDENCE = 'The evidence for it, for the operator who decides.';
/** Of the field `change` of what a proposing mutation answers. */
export const PAYLOAD_CHANGE =
  'The change request: APPLIED if one person was enough, else PROPOSED until another decides.';
