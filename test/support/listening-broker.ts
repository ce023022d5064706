import { aBroker } from "./broker.ts";
import { listening } from "./listening-front.ts";

/** Starts the real broker, in front of the service, at a real address, which is also its public one. */
export const aListeningBroker = () => listening((baseUrl) => aBroker({ publicOrigin: baseUrl }));

/** The real broker at a real address; call `stop` when done. */
export type ListeningBroker = Awaited<ReturnType<typeof aListeningBroker>>;
