import type { Movement } from "../../src/contract/broker/broker.ts";

/**
 * Event on the window when a payment to the person has arrived. A page that shows the payment itself prevents the
 * default: a toast with a vibration and, if it is on, a sound.
 */
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
