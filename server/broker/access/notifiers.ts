/**
 * A topic that pages wait for: a payment code, or the money of one user of the service. `ended` says that the user's
 * sessions are over, and ends the streams that were opened in them.
 */
export type ChangeTopic = `code:${string}` | `user:${string}` | `ended:${string}`;

/**
 * Notifies waiting pages of this process that there may be something new, and of nothing else: each asks for it with
 * its own rights. Settlements by another process of the broker are not published here: pages go on polling, and a hint
 * only saves them the wait.
 */
export interface ChangeNotifications {
  publish(...topics: readonly ChangeTopic[]): void;
  /** Calls `listener` at each hint about the topic; returns a function that unsubscribes it. */
  subscribe(topic: ChangeTopic, listener: () => void): () => void;
  /** Calls `forget` with every topic before its listeners, so that none of them reads an older cache entry. */
  onInvalidate(forget: (topic: ChangeTopic) => void): void;
}

/** Limits of the duration and the number of streams. */
export interface StreamLimits {
  /** After that a page opens another stream, which it gets only while its session lives. */
  readonly maxAgeMs: number;
  /** Shorter than proxies keep a silent connection. */
  readonly heartbeatMs: number;
  readonly perOwner: number;
  /** For all sessions of one merchant, so that one key does not use up `inAll`. */
  readonly perMerchant: number;
  readonly perAddress: number;
  readonly inAll: number;
}

/** The kinds of news about money: it arrived, or a payment was made after all that was said to have failed. */
export type MoneyNews = "arrived" | "corrected";

/** Notifies people's browsers of movements of their money, and of changes that guard the account. */
export interface PushSender {
  /**
   * Sends the user's browsers a message; never throws, and returns at once. Calls while one is being sent are merged
   * into one message after it: its text is the same, and one person's browsers do not keep others waiting.
   */
  notify(userId: string, movementId: string, news?: MoneyNews): void;
  /** Sends a person's browsers the changes of the account that were not sent yet; never throws. */
  notifyOfChanges(personId: string): void;
  /** Sends the changes that a process that died, or a command, left unsent. To be called repeatedly. */
  notifyPending(): Promise<void>;
  /** Resolves to true if messages may be sent to an address, as it resolves now; each sending judges it again. */
  admits(endpoint: string): Promise<boolean>;
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
}
