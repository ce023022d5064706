/** The files of the driver that have faults. */
export const UNMENDED_FILES = ["connection.js", "index.js"] as const;

interface Mend {
  readonly file: (typeof UNMENDED_FILES)[number];
  readonly from: string;
  readonly to: string;
}

/**
 * What postgres 3.4.9 gets wrong, mostly when a connection is lost; the issue numbers are those of
 * github.com/porsager/postgres. For each mend there is a test in `driver.test.ts` that fails without it.
 */
const MENDS: readonly Mend[] = [
  {
    // A write that was waiting when the connection closed is forgotten but still counts as waiting, so that nothing is
    // ever written on that connection again: every later statement on it ends in CONNECT_TIMEOUT (issue 1215).
    file: "connection.js",
    from: "clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)",
    to: "clearImmediate(nextWriteTimer)\n    nextWriteTimer = chunk = null\n    socket.removeListener('data', data)",
  },
  {
    // A statement that was given after the reset of a connection and before its close is never answered; and the
    // error that ended a connection is told to the first statement of the next one (issue 1215).
    file: "connection.js",
    from: "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))",
    to:
      ";(query || sent.length) && error(errorResponse || Errors.connection('CONNECTION_CLOSED', options, socket))\n" +
      "    query = results = errorResponse = null\n" +
      "    result = new Result()\n" +
      "    rows = 0",
  },
  {
    // A write on a connection that is closed by then throws where nobody can catch it and ends the process (issues
    // 1066, 1154, 1208). The statement behind it fails instead.
    file: "connection.js",
    from: "function nextWrite(fn) {\n",
    to:
      "function nextWrite(fn) {\n" +
      "    if (!socket) {\n" +
      "      nextWriteTimer = chunk = null\n" +
      "      error(Errors.connection('CONNECTION_CLOSED', options))\n" +
      "      query = null\n" +
      "      return false\n" +
      "    }\n",
  },
  {
    // A BEGIN that fills the pipeline starts a transaction without reserving its connection, so that the statements of
    // others run inside it (issue 1189).
    file: "connection.js",
    from:
      "return write(toBuffer(q))\n" +
      "        && !q.describeFirst\n" +
      "        && !q.cursorFn\n" +
      "        && sent.length < max_pipeline\n" +
      "        && (!q.options.onexecute || q.options.onexecute(connection))",
    to:
      "const hasRoom = write(toBuffer(q)) && !q.describeFirst && !q.cursorFn && sent.length < max_pipeline\n" +
      "      q.options.onexecute && q.options.onexecute(connection)\n" +
      "      return hasRoom && !q.options.onexecute",
  },
  {
    // A connection that is lost while it asks for array types leaves a rejection that nobody takes, which ends the
    // process. Nothing depends on that answer: `array-types.ts` tells the driver what we use.
    file: "connection.js",
    from: "return fetchArrayTypes()",
    to: "return fetchArrayTypes().catch(() => undefined)",
  },
  {
    // A transaction whose connection was lost goes on writing: on whatever the connection became next, perhaps inside
    // another's transaction (issue 1216).
    file: "index.js",
    from: "new Promise((_, reject) => connection.onclose = reject)",
    to: "new Promise((_, reject) => connection.onclose = e => reject(lost = e))",
  },
  {
    file: "index.js",
    from: "      , prepare = null\n",
    to: "      , prepare = null\n      , lost = null\n",
  },
  {
    file: "index.js",
    from: "q.catch(e => uncaughtError || (uncaughtError = e))\n",
    to: "q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n",
  },
];

/** The text of a driver's file without its faults. Throws when the file is not the one that these mends are for. */
export function mended(file: string, text: string): string {
  return MENDS.filter((mend) => mend.file === file).reduce((mendedText, { from, to }) => {
    const parts = mendedText.split(from);
    if (parts.length === 2) return parts.join(to);
    throw new Error(`postgres/src/${file} has changed: look whether it still needs server/database/mend-driver.ts.`);
  }, text);
}
