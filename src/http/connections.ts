import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server, and the answer that each of them gave or is to give last. */
export class Connections {
  readonly #latest = new Map<Socket, ServerResponse | null>();
  readonly #closing = new WeakSet<Socket>();

  /** Watches a server from now on. */
  watch(server: Server): Server {
    const note = (_request: unknown, response: ServerResponse): void => {
      if (response.socket !== null) this.#latest.set(response.socket, response);
      else if (response.req.socket !== null) this.#latest.set(response.req.socket, response);
    };
    server.on('connection', (socket) => {
      this.#latest.set(socket, null);
      socket.once('close', () => this.#latest.delete(socket));
    });
    return server.prependListener('request', note).prependListener('checkExpectation', note);
  }

  /** The last answer on a connection while it is under way; null when everything asked on it has been answered. */
  answerOn(socket: Socket): ServerResponse | null {
    const latest = this.#latest.get(socket) ?? null;
    return latest === null || latest.writableFinished || latest.destroyed ? null : latest;
  }

  /** Whether the head of a request has come, and been handed on, but not the whole of its body. */
  isInBody(socket: Socket): boolean {
    return this.#latest.get(socket)?.req.complete === false;
  }

  /** Whether a connection is closed as soon as what was asked on it is answered. */
  isClosing(socket: Socket): boolean {
    return this.#closing.has(socket);
  }

  /** Closes a connection as soon as what was asked on it is answered. */
  closeWhenAnswered(socket: Socket): void {
    this.#closing.add(socket);
    const answer = this.answerOn(socket);
    if (answer === null) socket.destroySoon();
    else answer.once('close', () => setImmediate(() => this.closeWhenAnswered(socket))); // another may have come
  }

  /** Ends the connections on which no answer is under way. */
  endUnanswered(): void {
    for (const socket of this.#latest.keys()) if (this.answerOn(socket) === null) socket.destroy();
  }
}
