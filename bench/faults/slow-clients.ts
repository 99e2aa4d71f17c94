import { connect } from 'node:net';

// Downloads one file on several connections, each reading 16 kB a second, until SIGTERM. Refused and broken downloads
// are requested again. Then prints the number of answers by status, as JSON.
//
//   node bench/faults/slow-clients.ts PORT PATH CONNECTIONS one|many|pipelined
//
// `pipelined`: each connection sends 250 requests at once.

const [port, path, connections, kind] = process.argv.slice(2);
const READ_BYTES = 16_384;
/** After a refusal it waits for the server's `Retry-After`, plus a random time so that retries do not come together. */
const AGAIN_MS = 5000;
const SPREAD_MS = 2000;
const PIPELINED = 250;
const counts: Record<string, number> = {};
process.on('SIGTERM', () => {
  console.log(JSON.stringify(counts));
  process.exit();
});

const spread = (i: number): number => (SPREAD_MS * i) / Number(connections);

function ask(i: number): void {
  const address = kind === 'many' ? `10.0.${i >> 8}.${i & 255}` : '10.1.0.1';
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`;
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  socket.write(request.repeat(kind === 'pipelined' ? PIPELINED : 1));
  let isHead = true;
  const timer = setInterval(() => {
    const bytes = (socket.read(Math.min(READ_BYTES, socket.readableLength)) ?? null) as Buffer | null;
    if (bytes === null || !isHead) return;
    isHead = false;
    const status = bytes.toString('latin1', 9, 12);
    counts[status] = (counts[status] ?? 0) + 1;
    if (status !== '200') socket.destroy();
  }, 1000);
  socket.on('error', () => {});
  socket.once('close', () => {
    clearInterval(timer);
    setTimeout(ask, AGAIN_MS + spread(i), i);
  });
}

for (let i = 0; i < Number(connections); i++) setTimeout(ask, spread(i), i);
