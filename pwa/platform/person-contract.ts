/**
 * Contract of every broker operation for the signed-in person: a script of its own, fetched when the app first calls an
 * operation that its first page does not need.
 */
export { personContract } from "../../src/contract/broker/broker.ts";
