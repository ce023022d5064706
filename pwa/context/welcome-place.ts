/** State of the welcome page's history entry, which selects its notice: for an operator, or for a frozen account. */
export interface WelcomePlace {
  /** True for an operator, who has no other page here. */
  readonly operator?: true;
  /** True if the account was just frozen, or is. */
  readonly frozen?: true;
}
