import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { idOf } from './messages.ts';

/** The longest line, bytes; a call has a few hundred. */
const LONGEST_LINE = 2 ** 20;
const NEWLINE = 0x0a;

const EXPECTED = 'Each line is one message, such as {"jsonrpc":"2.0","id":1,"method":"tools/list"}.';

/**
 * Messages over standard input and output, one in each line. The SDK's transport has three faults: it does not answer
 * an invalid line, so the caller waits for ever; a line of 10 MB ends the process; requests just before the end of the
 * input get no answer.
 */
export class LineTransport implements Transport {
  onmessage: Transport['onmessage'];
  onerror: Transport['onerror'];
  onclose: Transport['onclose'];
  readonly #input: Readable;
  readonly #output: Writable;
  /** The pieces of the current line; empty when the line is too long. */
  #pieces: Buffer[] = [];
  /** Length of the current line, bytes. */
  #bytes = 0;
  /** Requests without an answer yet. */
  readonly #unanswered = new Set<RequestId>();
  #hasEnded = false;
  /** Keeps the process alive after the end of the input: the threads that compute answers do not. */
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  /** Begins to read. The SDK calls it when its handlers are set. */
  async start(): Promise<void> {
    this.#input.on('data', this.#receive).on('end', this.#end);
    this.#input.on('error', (error) => this.onerror?.(error));
  }

  /** Writes a message as a line. An answer completes its request. */
  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      const isAnswer = 'result' in message || 'error' in message;
      if (isAnswer && message.id !== undefined) this.#unanswered.delete(message.id);
      this.#closeWhenAnswered();
    });
  }

  /** Stops reading, and tells the SDK. */
  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#input.off('data', this.#receive).off('end', this.#end).pause();
    this.onclose?.();
  }

  /** Splits input into lines. A line may come in several chunks. */
  readonly #receive = (chunk: Buffer): void => {
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, from);
      const end = newline === -1 ? chunk.length : newline;
      this.#bytes += end - from;
      if (this.#bytes <= LONGEST_LINE) this.#pieces.push(chunk.subarray(from, end));
      else this.#pieces = [];
      if (newline !== -1) this.#endLine();
      from = end + 1;
    }
  };

  /** Ends the last line, which may have no line feed, and closes when all requests are answered. */
  readonly #end = (): void => {
    this.#hasEnded = true;
    this.#keepAlive = setInterval(() => undefined, 60_000);
    this.#endLine();
    this.#closeWhenAnswered();
  };

  /** Closes when the input has ended and no request waits for its answer. */
  #closeWhenAnswered(): void {
    if (this.#hasEnded && this.#unanswered.size === 0) void this.close();
  }

  /** Handles the collected line: refuses one that is too long, ignores an empty one. */
  #endLine(): void {
    const isTooLong = this.#bytes > LONGEST_LINE;
    const line = Buffer.concat(this.#pieces).toString().trim();
    this.#pieces = [];
    this.#bytes = 0;
    if (isTooLong) this.#refuse(null, ProtocolErrorCode.InvalidRequest, `A line has at most ${LONGEST_LINE} bytes.`);
    else if (line !== '') this.#handle(line);
  }

  /** Hands the message of a line to the SDK, and notes a request as unanswered. */
  #handle(line: string): void {
    const message = this.#messageIn(line);
    if (message === null) return;
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#unanswered.delete(message.params?.requestId as RequestId);
    this.onmessage?.(message);
  }

  /** The message of a line. For an invalid line it sends an error and returns null. */
  #messageIn(line: string): JSONRPCMessage | null {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, `This line is not JSON. ${EXPECTED}`);
      return null;
    }
    try {
      return parseJSONRPCMessage(value);
    } catch {
      const fault = Array.isArray(value) ? 'This line is a list' : 'This line is not a message of JSON-RPC 2.0';
      this.#refuse(idOf(value), ProtocolErrorCode.InvalidRequest, `${fault}. ${EXPECTED}`);
      return null;
    }
  }

  /** Sends an error for an invalid line. `id` is null when the line has none. */
  #refuse(id: RequestId | null, code: ProtocolErrorCode, message: string): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}
