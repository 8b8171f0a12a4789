/** The cost of a file within the limits of an operation: a few files fit, a page of them does not. */
export const FILE_COST = 1_000;
