import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, startApi, type TestApi } from '../../support/api.ts';

/** Requests that no HTTP client sends, written directly to a socket. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Sends header lines and a body. Returns everything received until the close. */
function raw(head: readonly string[], body: Buffer = Buffer.alloc(0)): Promise<string> {
  const { port } = new URL(api.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      socket.write(body);
    });
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('end', () => resolve(Buffer.concat(parts).toString()));
    socket.on('error', reject);
  });
}

const key = () => `Authorization: ${basic(api.sandbox.key).Authorization}`;
const JSON_BODY = ['Host: a', 'Content-Type: application/json'];

test('an unknown Expect header is ignored', async () => {
  const body = Buffer.from('{"name":"Expected"}');
  const head = ['POST /sandbox/api/customers HTTP/1.1', ...JSON_BODY, key(), 'Expect: nope'];
  const answer = await raw([...head, `Content-Length: ${body.length}`], body);
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect(answer).toContain('"name":"Expected"');
});

test.each(['/sandbox/api/account', '/health', '/elsewhere'])(
  '%s without a Host header is refused with a message',
  async (path) => {
    const answer = await raw([`GET ${path} HTTP/1.1`, key()]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nRequest-Id: [0-9a-f-]{36}\r\n/);
    expect(answer).toContain('"message":"The Host header is missing"');
  },
);

test.each([
  ['an address that is too long', `GET /sandbox/api/account?${'x'.repeat(20_000)} HTTP/1.1`],
  ['a line that is not HTTP', 'HELLO'],
])('%s is refused with a request id', async (_, line) => {
  const answer = await raw([line, 'Host: a']);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/\r\nRequest-Id: [0-9a-f-]{36}\r\n/);
  expect(answer).toContain('"type":"invalid_request"');
});

test.each([
  ['application/json', '{"name":"A', '"}'],
  ['application/x-www-form-urlencoded', 'name=A', ''],
])('invalid UTF-8 is refused and valid UTF-8 is kept: %s', async (type, start, end) => {
  const post = async (name: Buffer) => {
    const body = Buffer.concat([Buffer.from(start), name, Buffer.from(end)]);
    const head = ['POST /sandbox/api/customers HTTP/1.1', 'Host: a', `Content-Type: ${type}`, key()];
    return raw([...head, `Content-Length: ${body.length}`], body);
  };
  for (const wrong of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
    const answer = await post(Buffer.from(wrong));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"message":"The request body is not UTF-8"');
  }
  const kept = await post(Buffer.from('é€😀\ufffd'));
  expect(kept).toMatch(/^HTTP\/1\.1 201 /);
  expect(kept).toContain('"name":"Aé€😀\ufffd"');
});

test('no request failed with a server error', () => {
  expect(api.faults).toEqual([]);
});
