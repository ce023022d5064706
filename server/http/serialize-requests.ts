import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Serves one request; the response's `close` event says that it is over. */
type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Most requests of all connections that wait for the answer before theirs: a request costs some kilobytes. */
const WAITING_LIMIT = 16_384;

/** A connection, and the requests that wait for the answer before theirs. */
interface Connection {
  answering: ServerResponse | undefined;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/** Keeps a connection unread while requests wait, and reports how many were dropped when it closes. */
function pauseWhileWaiting(socket: Socket, { waiting }: Connection, onClose: (dropped: number) => void): void {
  // Node itself resumes after a drain, and a request resumes to read its body.
  socket.on("resume", () => {
    if (waiting.length > 0) socket.pause();
  });
  socket.once("close", () => onClose(waiting.splice(0).length));
}

/**
 * The result of {@link serializeRequests}: a function that serves the requests of each connection one at a time, and
 * one that returns the response in progress on a connection.
 */
export interface SerializedHandler {
  readonly serve: Serve;
  /** The response in progress on a connection, if any. */
  answering(socket: object): ServerResponse | undefined;
}

/**
 * Makes a handler that serves the next request of a connection once the answer before it has been taken, and reads no
 * further from a connection that has requests waiting. Node alone serves all requests of a chunk at once, and holds all
 * their answers. Once `limit` requests of all connections together wait, the connection that sends one more to wait is
 * cut.
 */
export function serializeRequests(serve: Serve, limit = WAITING_LIMIT): SerializedHandler {
  const connections = new WeakMap<object, Connection>();
  let waitingInAll = 0;

  function opened(socket: Socket): Connection {
    const connection: Connection = { answering: undefined, waiting: [] };
    connections.set(socket, connection);
    pauseWhileWaiting(socket, connection, (dropped) => {
      waitingInAll -= dropped;
    });
    return connection;
  }

  function begin(socket: Socket, connection: Connection, incoming: IncomingMessage, outgoing: ServerResponse): void {
    connection.answering = outgoing;
    outgoing.once("close", () => next(socket, connection));
    serve(incoming, outgoing);
  }

  function next(socket: Socket, connection: Connection): void {
    connection.answering = undefined;
    const [request] = socket.writable ? connection.waiting.splice(0, 1) : [];
    if (request === undefined) return;
    waitingInAll -= 1;
    if (connection.waiting.length === 0) socket.resume();
    begin(socket, connection, ...request);
  }

  return {
    serve(incoming, outgoing) {
      const { socket } = incoming;
      // The rest of a chunk after its beginning had the connection cut.
      if (socket.destroyed) return;
      const connection = connections.get(socket) ?? opened(socket);
      if (connection.answering === undefined) {
        begin(socket, connection, incoming, outgoing);
      } else if (waitingInAll < limit) {
        connection.waiting.push([incoming, outgoing]);
        waitingInAll += 1;
        socket.pause();
      } else {
        socket.destroy();
      }
    },
    answering: (socket) => connections.get(socket)?.answering,
  };
}
