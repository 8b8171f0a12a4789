import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

export type DnsType = 'A' | 'AAAA';
/** The addresses of a name; null: never answers. */
export type DnsScript = (name: string, type: DnsType) => readonly string[] | null;

const TYPES: Readonly<Record<number, DnsType>> = { 1: 'A', 28: 'AAAA' };
const HEADER = 12;

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** An answer record: the question's name by pointer, class IN, time to live 0. */
function record(type: number, address: string): Buffer {
  const data = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(HEADER);
  head.writeUInt16BE(0xc000 + HEADER, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function reply(query: Buffer, script: DnsScript): Buffer | null {
  const { name, end } = readName(query);
  const type = query.readUInt16BE(end);
  const known = TYPES[type];
  const addresses = known === undefined ? [] : script(name, known);
  if (addresses === null) return null;
  const head = Buffer.alloc(HEADER);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8580, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  const question = query.subarray(HEADER, end + 4);
  return Buffer.concat([head, question, ...addresses.map((address) => record(type, address))]);
}

/** A name server on UDP whose answers the test scripts, and may change from query to query. */
export async function startDnsServer(
  script: DnsScript,
): Promise<{ address: string; queries: string[]; close: () => void }> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = reply(query, (name, type) => {
      queries.push(`${type} ${name}`);
      return script(name, type);
    });
    if (answer !== null) socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  const { port }: AddressInfo = socket.address();
  return { address: `127.0.0.1:${port}`, queries, close: () => socket.close() };
}
