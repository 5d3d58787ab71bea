/** A decoded mail. Header names are lower case. */
export interface ReadMail {
  headers: Record<string, string>;
  subject: string;
  text: string;
  html: string;
  /** Attachments in order. */
  files: { name: string; type: string; bytes: Buffer }[];
  /** Pictures in the HTML, by Content-ID. */
  pictures: Record<string, Buffer>;
}

interface Entity {
  headers: Record<string, string>;
  body: string;
}

/** Parses a raw message: a single part or nested multiparts, in base64 or quoted-printable, in UTF-8. */
export function readMail(raw: Buffer): ReadMail {
  const whole = entityOf(raw.toString('latin1'));
  const leaves = leavesOf(whole);
  const first = (type: string) => leaves.find((leaf) => contentType(leaf).startsWith(type));
  const content = (type: string) => decodeBody(first(type)).replaceAll('\r\n', '\n');
  return {
    headers: whole.headers,
    subject: whole.headers.subject ?? '',
    text: content('text/plain'),
    html: content('text/html'),
    files: leaves.filter((leaf) => /^attachment/i.test(leaf.headers['content-disposition'] ?? '')).map(fileOf),
    pictures: Object.fromEntries(leaves.filter(isInline).map(pictureOf)),
  };
}

function entityOf(source: string): Entity {
  const end = source.indexOf('\r\n\r\n');
  const head = end < 0 ? source : source.slice(0, end);
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = decodeWords(line.slice(colon + 1).trim());
  }
  return { headers, body: end < 0 ? '' : source.slice(end + 4) };
}

function contentType(entity: Entity): string {
  return (entity.headers['content-type'] ?? 'text/plain').toLowerCase();
}

function leavesOf(entity: Entity): Entity[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(entity.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return [entity];
  const parts = `\r\n${entity.body}`.split(`\r\n--${boundary}`).slice(1);
  return parts.filter((part) => part.startsWith('\r\n')).flatMap((part) => leavesOf(entityOf(part.slice(2))));
}

function isInline(leaf: Entity): boolean {
  return /^inline/i.test(leaf.headers['content-disposition'] ?? '');
}

function pictureOf({ headers, body }: Entity): [id: string, bytes: Buffer] {
  return [(headers['content-id'] ?? '').replaceAll(/[<>]/g, ''), Buffer.from(body, 'base64')];
}

function fileOf(entity: Entity): ReadMail['files'][number] {
  const said = `${entity.headers['content-disposition']};${entity.headers['content-type']}`;
  const [, encoded] = /filename\*0?\*=utf-8''([^;\s]+)/i.exec(said) ?? [];
  const [, plain = ''] = /filename="?([^";]+)"?/i.exec(said) ?? [];
  const type = contentType(entity).split(';')[0] ?? '';
  return { name: encoded ? decodeURIComponent(encoded) : plain, type, bytes: Buffer.from(entity.body, 'base64') };
}

function decodeBody(entity: Entity | undefined): string {
  if (entity === undefined) return '';
  const encoding = (entity.headers['content-transfer-encoding'] ?? '7bit').toLowerCase();
  if (encoding === 'base64') return Buffer.from(entity.body, 'base64').toString('utf8');
  if (encoding === 'quoted-printable') return fromQuotedPrintable(entity.body.replace(/=\r\n/g, ''));
  return Buffer.from(entity.body, 'latin1').toString('utf8');
}

function fromQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Decodes the RFC 2047 words of a header. White space between two of them is dropped. */
function decodeWords(value: string): string {
  return value
    .replace(/(=\?[^?]+\?[BQbq]\?[^?]*\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?[^?]+\?([BQbq])\?([^?]*)\?=/g, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : fromQuotedPrintable(word.replaceAll('_', ' ')),
    );
}
