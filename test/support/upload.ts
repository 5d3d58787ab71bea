import { type Answer, basic, type RequestHeaders } from './api.ts';

/** One part of a form. Without a `type` it has no Content-Type. */
export interface Part {
  name: string;
  filename?: string;
  type?: string | null;
  content: Buffer | string;
}

const BOUNDARY = 'a-boundary-that-is-in-no-content';

/** Sends a form to POST /files. The form is written by hand, so that it can be malformed. */
export async function upload(
  client: { url: string; key: string },
  parts: readonly Part[],
  how: { path?: string; headers?: RequestHeaders; chunked?: boolean } = {},
): Promise<Answer> {
  const bytes = Buffer.concat([...parts.flatMap(bytesOf), Buffer.from(`--${BOUNDARY}--\r\n`)]);
  const response = await fetch(`${client.url}${how.path ?? '/files'}`, {
    method: 'POST',
    headers: { ...basic(client.key), 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...how.headers },
    ...(how.chunked ? { body: streamOf(bytes), duplex: 'half' } : { body: bytes }),
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

function bytesOf({ name, filename, type, content }: Part): Buffer[] {
  const called = filename === undefined ? '' : `; filename="${filename.replaceAll('"', '%22')}"`;
  const typed = type ? `\r\nContent-Type: ${type}` : '';
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${called}${typed}\r\n\r\n`;
  return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
}

/** A stream of 64 KiB pieces, without a known length. */
function streamOf(bytes: Buffer): ReadableStream {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) =>
    bytes.subarray(n * 65_536, (n + 1) * 65_536),
  );
  return ReadableStream.from(pieces);
}
