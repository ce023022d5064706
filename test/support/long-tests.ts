import { env } from "node:process";

/** True where tests with a long form run that: `CUPO_LONG_TESTS=1`. */
export const LONG = env.CUPO_LONG_TESTS === "1";
