import type { HttpLog } from "../../server/http/http-log.ts";

/** A log that writes only errors, which fail no test by themselves and must be seen. */
export const silentLog: HttpLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};
