import type { Movement } from "../../src/contract/broker.ts";

/** Tells the window that money has arrived. A page that says so by itself prevents the default, which is the toast. */
export class ArrivalEvent extends Event {
  readonly arrival: Movement;

  constructor(arrival: Movement) {
    super("arrival", { cancelable: true });
    this.arrival = arrival;
  }
}

declare global {
  interface WindowEventMap {
    arrival: ArrivalEvent;
  }
}
