import type { Movement } from "../../src/contract/broker/broker.ts";

/** Notifies the window that money has arrived. A page that shows it itself prevents the default, which is the toast. */
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
