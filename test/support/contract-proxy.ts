import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/**
 * A proxy that checks every response against `openapi.json` of the server behind it: status, media type, body and
 * headers. It knows nothing of the program except this published description.
 */
export class ContractProxy {
  /** Violations of the contract, one line each. A test asserts that there are none. */
  readonly breaches: string[] = [];
  /** `operationId status` of every answer so far. */
  readonly seen = new Set<string>();
  url = '';
  readonly #target: string;
  readonly #document: OpenApi;
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  private constructor(target: string, document: OpenApi) {
    this.#target = target;
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'openapi', ...document });
  }

  /** Starts a proxy in front of `target`; it ends with the test. */
  static async start(test: Pick<TestContext, 'after'>, target: string): Promise<ContractProxy> {
    const proxy = new ContractProxy(target, (await (await fetch(`${target}/openapi.json`)).json()) as OpenApi);
    const server = createServer((request, response) => {
      const { method, url, headers } = request;
      const onward = httpRequest(proxy.#target + url, { method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const body = Buffer.concat(chunks);
          proxy.#check({ method: method!, path: url!, status: answer.statusCode!, headers: answer.headers, body });
          response.writeHead(answer.statusCode!, answer.rawHeaders);
          response.end(body);
        });
      });
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    test.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return proxy;
  }

  #check(exchange: Exchange): void {
    const { method, path, status, headers, body } = exchange;
    const complain = (text: string) => this.breaches.push(`${method} ${path} → ${status}: ${text}`);
    const cost = headers['x-cost-units'];
    if (cost === undefined) complain('no X-Cost-Units');
    if ((status !== 200 || method === 'HEAD') && cost !== '0') complain(`costs ${cost}`);
    if (headers['x-request-id'] === undefined) complain('no X-Request-Id');
    if (headers['access-control-allow-origin'] !== '*') complain('no CORS');
    if (method === 'OPTIONS' && status === 204) return;
    if ((method === 'HEAD' || status === 304) && body.length > 0) complain('a body');
    if (headers['content-type']?.startsWith('text/html') || (status === 304 && path.endsWith('/'))) return; // for people
    const found = this.#operation(path);
    if (status === 405 || found === null) {
      if (status !== 405 && status !== 404 && status !== 429 && status !== 400) complain('not described');
      this.#checkBody(exchange, { 'application/problem+json': { schema: PROBLEM_REF } }, complain);
      return;
    }
    const response = this.#resolve(found.operation.responses[String(status)]);
    if (response === null) {
      complain(`${found.operation.operationId} does not have this status`);
      return;
    }
    this.seen.add(`${found.operation.operationId} ${status}`);
    const always = ['X-Cost-Units', 'X-Request-Id', 'Cache-Control'];
    for (const name of always) if (response.headers?.[name] === undefined) complain(`${name} is not described`);
    if (method !== 'HEAD') this.#checkBody(exchange, response.content, complain);
  }

  #checkBody({ headers, body }: Exchange, content: Content | undefined, complain: (text: string) => void): void {
    const type = headers['content-type']?.split(';')[0];
    if (content === undefined) {
      if (body.length > 0) complain('a body that is not described');
      return;
    }
    const media = type === undefined ? undefined : content[type];
    if (media === undefined) complain(`media type ${type} is not described`);
    if (media === undefined || !type!.endsWith('json')) return;
    const text = decoded(body, headers['content-encoding']);
    const validate = this.#validator(media.schema);
    if (!validate(JSON.parse(text))) complain(this.#ajv.errorsText(validate.errors));
  }

  #validator(schema: object): ValidateFunction {
    const key = JSON.stringify(schema);
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      validate = this.#ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')));
      this.#validators.set(key, validate);
    }
    return validate;
  }

  #operation(target: string): { operation: Described } | null {
    const path = target.split('?')[0]!;
    for (const [template, item] of Object.entries(this.#document.paths)) {
      const pattern = template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
      if (new RegExp(`^${pattern}$`).test(path)) return { operation: item.get };
    }
    return null;
  }

  #resolve(response: Response | { $ref: string } | undefined): Response | null {
    if (response === undefined) return null;
    if (!('$ref' in response)) return response;
    return this.#document.components.responses[response.$ref.split('/').at(-1)!] ?? null;
  }
}

const PROBLEM_REF = { $ref: '#/components/schemas/Problem' };

function decoded(body: Buffer, coding: string | undefined): string {
  if (coding === 'gzip') return gunzipSync(body).toString();
  return coding === 'br' ? brotliDecompressSync(body).toString() : body.toString();
}

interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

type Content = Record<string, { schema: object }>;

interface Response {
  headers?: Record<string, unknown>;
  content?: Content;
}

interface Described {
  operationId: string;
  responses: Record<string, Response | { $ref: string }>;
}

interface OpenApi {
  paths: Record<string, { get: Described }>;
  components: { responses: Record<string, Response> };
}
