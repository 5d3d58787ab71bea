import { createHash, createHmac } from 'node:crypto';

/** The credentials and region that sign. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Has no query. */
  url: URL;
  /** Names in lower case; all of them are signed. */
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hexadecimal. */
  payload: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** SHA-256 of an empty body. */
export const EMPTY_PAYLOAD = createHash('sha256').digest('hex');

/** The headers of a request with its AWS Signature Version 4, as S3 and compatible services require it. */
export function signed(request: S3Request, credentials: S3Credentials, at: Date): Record<string, string> {
  const time = at.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const headers = { ...request.headers, 'x-amz-content-sha256': request.payload, 'x-amz-date': time };
  const { canonical, names } = canonicalRequest(request, headers);
  const scope = `${time.slice(0, 8)}/${credentials.region}/s3/aws4_request`;
  const text = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  const said = `Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization: `${ALGORITHM} ${said}` };
}

function canonicalRequest({ method, url, payload }: S3Request, headers: Readonly<Record<string, string>>) {
  const all = Object.entries({ ...headers, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = all.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}`);
  const names = all.map(([name]) => name).join(';');
  return { canonical: [method, encodedPath(url), '', ...lines, '', names, payload].join('\n'), names };
}

/** The path with every byte but letters, digits, -._~ and slashes percent-encoded. */
function encodedPath({ pathname }: URL): string {
  const encode = (part: string) =>
    encodeURIComponent(decodeURIComponent(part)).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return pathname.split('/').map(encode).join('/');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
