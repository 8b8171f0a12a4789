/** A managed account that could take a deposit: active, in the right currency. */
export interface RoutableAccount {
  readonly id: string;
}

/**
 * Chooses the account that a deposit goes to. All eligible accounts take an even share.
 * @param draw a random number, 0 ≤ draw < 1
 */
export const chooseAccount = <Account extends RoutableAccount>(
  eligible: readonly Account[],
  draw: number,
): Account | undefined => eligible[Math.floor(draw * eligible.length)];
