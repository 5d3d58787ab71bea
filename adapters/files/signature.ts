import { createHash } from 'node:crypto';
import aws4 from 'aws4';

/** The credentials with which requests are signed, and the region of the bucket. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Must have no query. */
  url: URL;
  /** By lower-case name. All of them are signed. */
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hexadecimal. */
  payload: string;
}

/** SHA-256 of an empty body. */
export const EMPTY_PAYLOAD = createHash('sha256').digest('hex');

/** The headers of a request together with its AWS Signature Version 4, for S3 and compatible services. */
export function signed(request: S3Request, credentials: S3Credentials, at: Date): Record<string, string> {
  const { method, url, payload } = request;
  const time = at.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const headers = { ...request.headers, 'x-amz-content-sha256': payload, 'x-amz-date': time };
  const toSign = {
    service: 's3',
    region: credentials.region,
    method,
    host: url.host,
    path: url.pathname,
    headers,
    extraHeadersToInclude: { range: true },
  };
  const authorization = String(aws4.sign(toSign, credentials).headers?.Authorization);
  return { ...headers, authorization };
}
