import { createSocket } from 'node:dgram';

/** Records of a name: addresses for queries of type A, texts for those of type TXT. `silent`: no answer. */
export interface NamedRecords {
  addresses?: string[];
  texts?: string[];
  silent?: boolean;
}

export interface Nameserver {
  address: string;
  /** Number of queries so far. */
  queries(): number;
  stop(): Promise<void>;
}

/** Starts a DNS server on the loopback interface. `recordsOf` is asked at each query; null: there is no such name. */
export async function startNameserver(recordsOf: (name: string) => NamedRecords | null): Promise<Nameserver> {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (query, from) => {
    queries += 1;
    const records = recordsOf(nameIn(query));
    if (!records?.silent) socket.send(answer(query, records), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries: () => queries,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const headerBytes = 12;
const typeA = 1;
const typeText = 16;
const noSuchName = 3;

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = headerBytes; query[at]; at += query.readUInt8(at) + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query.readUInt8(at)));
  return labels.join('.').toLowerCase();
}

/** RFC 1035: the header, the question, the records. Each record refers to the name at byte 12. */
function answer(query: Buffer, found: NamedRecords | null): Buffer {
  const questionEnd = query.indexOf(0, headerBytes) + 5;
  const type = query.readUInt16BE(questionEnd - 4);
  const { addresses = [], texts = [] } = found ?? {};
  const values = [
    ...(type === typeA ? addresses.map((address) => Buffer.from(address.split('.').map(Number))) : []),
    ...(type === typeText ? texts.map(inParts) : []),
  ];
  const records = values.map((value) =>
    Buffer.concat([
      Buffer.from([0xc0, headerBytes, 0, type, 0, 1, 0, 0, 0, 60, value.length >> 8, value.length & 255]),
      value,
    ]),
  );
  const status = 0x80 | (found ? 0 : noSuchName);
  const header = Buffer.from([...query.subarray(0, 2), 0x81, status, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([header, query.subarray(headerBytes, questionEnd), ...records]);
}

/** A text in parts of at most 255 bytes, each after its length. */
function inParts(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])));
}
