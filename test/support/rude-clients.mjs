// Bad clients in a process of their own: node rude-clients.mjs PORT KINDS, where KINDS is JSON. Prints, as one JSON
// object, after how many milliseconds the other side closed each kind, or null if a connection was still open when
// standard input closed.
import { connect } from 'node:net';

const [port, kinds] = [Number(process.argv[2]), JSON.parse(process.argv[3])];

/** Bytes that the other side does not read are not buffered here. */
const KEPT = 1 << 18;

function begin({ head = '', piece = '', everyMs = 0, reads = true }, ended) {
  const began = performance.now();
  const socket = connect({ port, host: '127.0.0.1' });
  let again;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(again);
    ended(Math.round(performance.now() - began));
  });
  socket.on('connect', () => {
    if (reads) socket.resume();
    if (head !== '') socket.write(head);
    if (piece === '') return;
    again = setInterval(() => {
      if (socket.writableLength < KEPT) socket.write(piece);
    }, everyMs);
  });
}

const result = {};
let standing = 0;
const tell = () => {
  process.stdout.write(JSON.stringify(result));
  process.exit(0);
};
for (const kind of kinds) {
  let left = kind.count;
  standing += kind.count;
  result[kind.name] = null;
  for (let n = 0; n < kind.count; n++)
    begin(kind, (ms) => {
      if (--left === 0) result[kind.name] = ms;
      if (--standing === 0) tell();
    });
}
process.stdin.on('end', tell).resume();
