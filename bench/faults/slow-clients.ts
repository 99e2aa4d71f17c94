import { connect } from 'node:net';

// Downloads of one file, each on a connection of its own that reads 16 kB a second, until SIGTERM. What is refused or broken off is
// asked for again. Says then how many answers had which status, as JSON.
//   node bench/faults/slow-clients.ts PORT PATH CONNECTIONS one|many|pipelined
// `pipelined`: each connection asks 250 times at once.

const [port, path, connections, kind] = process.argv.slice(2);
const READ_BYTES = 16_384;
/** After a refusal: the `Retry-After` of the server, and not all at one instant. */
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
