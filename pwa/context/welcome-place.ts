/** State of the welcome page's history entry, which selects its notice. */
export interface WelcomePlace {
  /** True for an operator, who has no other page here. */
  readonly operator?: true;
  /** True if the account was just frozen, or is. */
  readonly frozen?: true;
  /** True if a session began that this browser did not keep. */
  readonly notKept?: true;
}
