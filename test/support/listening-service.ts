import { listening } from "./listening-front.ts";
import { aService } from "./service.ts";

/** Starts the real service on a fresh database at a real address, for tools that know nothing but its address. */
export const aListeningService = () => listening((baseUrl) => aService({ baseUrl }));

/** The real service at a real address; call `stop` when done. */
export type ListeningService = Awaited<ReturnType<typeof aListeningService>>;
