/** Every row for the signed-in person: fetched when the app first calls one that its first page does not need. */
export { personContract } from "../../src/contract/broker/broker.ts";
