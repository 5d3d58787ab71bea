import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, portOf } from './listen.ts';

/** An S3 bucket in this process. It verifies the signature and the checksum of each request as Amazon describes them. */
export interface Bucket {
  endpoint: string;
  objects: Map<string, { bytes: Buffer; type: string }>;
  /** All answers in order: "PUT 200". */
  answers: string[];
  /** Answers the next requests with these statuses. */
  fail(...statuses: number[]): void;
  close(): Promise<void>;
}

export const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
export const accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
export const region = 'eu-central-1';

export async function startBucket(name: string): Promise<Bucket> {
  const objects: Bucket['objects'] = new Map();
  const answers: string[] = [];
  const failures: number[] = [];
  const answer = async (request: IncomingMessage): Promise<[number, Buffer | string, string?]> => {
    const bytes = Buffer.concat(await request.toArray());
    const failure = failures.shift();
    if (failure) return [failure, '<Error><Code>SlowDown</Code></Error>'];
    const wrong = faultOf(request, bytes);
    if (wrong) return [wrong === 'XAmzContentSHA256Mismatch' ? 400 : 403, `<Error><Code>${wrong}</Code></Error>`];
    const [, bucket, ...rest] = (request.url ?? '').split('/');
    if (bucket !== name) return [404, '<Error><Code>NoSuchBucket</Code></Error>'];
    const key = rest.join('/');
    if (request.method === 'PUT') objects.set(key, { bytes, type: request.headers['content-type'] ?? '' });
    if (request.method === 'PUT') return [200, ''];
    if (request.method === 'DELETE') objects.delete(key);
    if (request.method === 'DELETE') return [204, ''];
    const found = objects.get(key);
    return found ? [200, found.bytes, found.type] : [404, '<Error><Code>NoSuchKey</Code></Error>'];
  };
  const server = await listen(
    createServer(async (request: IncomingMessage, response: ServerResponse) => {
      const [status, body, type] = await answer(request).catch(() => BROKEN_OFF);
      answers.push(`${request.method} ${status}`);
      response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
    }),
    0,
  );
  return {
    objects,
    answers,
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    fail: (...statuses) => void failures.push(...statuses),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The answer when the client closed the connection within its request. */
const BROKEN_OFF = [400, '', ''] as const;

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/;

/** S3's error code for an invalid request. null: the request is valid. */
function faultOf(request: IncomingMessage, bytes: Buffer): string | null {
  const { headers, method, url } = request;
  const [, id, day, signedRegion, names = '', signature] = FORM.exec(headers.authorization ?? '') ?? [];
  if (id !== accessKeyId || signedRegion !== region) return 'InvalidAccessKeyId';
  const time = String(headers['x-amz-date']);
  if (!names.includes('host') || !time.startsWith(day ?? 'none')) return 'AuthorizationHeaderMalformed';
  const payload = String(headers['x-amz-content-sha256']);
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = `${method}\n${url}\n\n${lines.join('')}\n${names}\n${payload}`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`;
  let key: string | Buffer = `AWS4${secretAccessKey}`;
  for (const part of [day ?? '', region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
  if (createHmac('sha256', key).update(text).digest('hex') !== signature) return 'SignatureDoesNotMatch';
  return payload === sha256(bytes) ? null : 'XAmzContentSHA256Mismatch';
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
