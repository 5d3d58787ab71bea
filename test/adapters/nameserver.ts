import { createSocket } from 'node:dgram';

/** Starts a DNS server on the loopback interface. It answers every query for an IPv4 address with `addresses`, and others with nothing. */
export async function startNameserver(addresses: string[]): Promise<{ address: string; stop(): Promise<void> }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answer(query, addresses), from.port, from.address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const headerBytes = 12;
const typeA = 1;

/** RFC 1035: the header, the question, the records. Each record refers to the name at byte 12. */
function answer(query: Buffer, addresses: string[]): Buffer {
  const questionEnd = query.indexOf(0, headerBytes) + 5;
  const isForIPv4 = query.readUInt16BE(questionEnd - 4) === typeA;
  const records = (isForIPv4 ? addresses : []).map((address) =>
    Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  );
  const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([header, query.subarray(headerBytes, questionEnd), ...records]);
}
