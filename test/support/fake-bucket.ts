import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Location } from '../../src/http/s3-store.ts';

/** A store whose answers the test makes. It checks no signature: Swift does (`swift.ts`). It ends with the test. */
export async function fakeBucket(
  test: { after(end: () => unknown): unknown },
  answer: RequestListener,
): Promise<S3Location> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  test.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const keys = { accessKey: 'an id', secretKey: 'a secret' };
  return { endpoint, region: 'us-east-1', bucket: 'bucket', prefix: '', urlStyle: 'path', ...keys };
}
