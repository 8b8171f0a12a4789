/** How route schemas judge: nothing is changed, filled in or dropped on the way. */
export const VALIDATION = {
  customOptions: {
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    allErrors: false,
    allowUnionTypes: true,
  },
} as const;
