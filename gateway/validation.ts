/** How route schemas validate: nothing is coerced, filled in or dropped. */
export const VALIDATION = {
  customOptions: {
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    allErrors: false,
    allowUnionTypes: true,
  },
} as const;
