import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { nodeHttp } from '../http/http-server.ts';

/** The metrics as text, and its media type. */
export interface AdminFigures {
  readonly contentType: string;
  /** The metrics of the server now, in the format of Prometheus. */
  metrics(): Promise<string>;
}

/**
 * The operator's port, with `/metrics` for Prometheus and `/healthz`. It is a separate server: the limits of the public
 * one do not apply, and the public one does not have these paths.
 */
export function createAdmin(figures: AdminFigures): Server {
  return nodeHttp.createServer((request, response) => {
    answer(figures, request, response).catch(() => response.destroy());
  });
}

/** Answers one request to the operator's port. */
async function answer(figures: AdminFigures, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = request.url?.split('?')[0];
  if (!isRead) send(405, 'text/plain', 'The methods are GET and HEAD.\n');
  else if (path === '/healthz') send(200, 'text/plain', 'ok\n');
  else if (path === '/metrics') send(200, figures.contentType, await figures.metrics());
  else send(404, 'text/plain', 'There are /metrics and /healthz.\n');

  function send(status: number, type: string, body: string): void {
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      ...(status === 405 && { Allow: 'GET, HEAD' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}
