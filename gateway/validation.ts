/** How route schemas validate: they convert, default and drop nothing. */
export const VALIDATION = {
  customOptions: {
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    allErrors: false,
    allowUnionTypes: true,
  },
} as const;
