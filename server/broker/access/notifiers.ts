/**
 * A topic of update hints, to which open pages subscribe: a payment code by its reference, or the money and sign-in
 * sessions of one user of the service. `ended` says that the user's sessions are over, and ends the streams that were
 * opened in them.
 */
export type ChangeTopic = `code:${string}` | `user:${string}` | `ended:${string}`;

/**
 * Publishes update hints to the open pages of this process: that there may be something new, and nothing else. Each
 * page asks for it with its own rights. Settlements by another process of the broker are not published here: pages go
 * on polling, and a hint only saves them the wait.
 */
export interface ChangeNotifications {
  publish(...topics: readonly ChangeTopic[]): void;
  /** Reserves the hints of a transaction for its caller, which publishes them once it has recorded the outcome. */
  reserve(transactionId: string): void;
  /** True if the hints of a transaction were reserved: the service's message of it needs none. */
  isReserved(transactionId: string): boolean;
  /** Calls `listener` at each hint about the topic; returns a function that unsubscribes it. */
  subscribe(topic: ChangeTopic, listener: () => void): () => void;
  /** Calls `forget` with every topic before its listeners, so that none of them reads an older cache entry. */
  onInvalidate(forget: (topic: ChangeTopic) => void): void;
}

/** Limits of the duration and the number of the event streams that carry update hints to open pages. */
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

/**
 * The kinds of push messages about money: some arrived, or a payment that had been reported as failed was made after
 * all.
 */
export type MoneyNews = "arrived" | "corrected";

/** Sends push messages to people's browsers: on movements of their money, and on security changes of their account. */
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
