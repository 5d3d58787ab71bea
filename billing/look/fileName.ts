import { visibleLine } from './visibleText.ts';

/**
 * Cleans a file name from a client: the last path segment without hidden characters, which could make `.exe` look like `.pdf`. Returns an
 * empty text if only dots are left.
 */
export function plainFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const name = visibleLine(last).trim();
  return /^\.*$/.test(name) ? '' : name;
}

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;
const ANY_BYTES = 'application/octet-stream';

/** A MIME type in lower case without its parameters; null if the text is not one. */
export function mimeType(given: string): string | null {
  const type = (given.split(';')[0] ?? '').trim().toLowerCase();
  return type.length <= 255 && TYPE.test(type) ? type : null;
}

/** MIME types of common attachments, by file extension. */
const byExtension: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** MIME type of a file: the client's, if it is valid and not application/octet-stream; else the one of the file extension. */
export function typeOfFile(name: string, given: string | null): string {
  const type = given === null ? null : mimeType(given);
  if (type !== null && type !== ANY_BYTES) return type;
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? '';
  return byExtension[extension.toLowerCase()] ?? ANY_BYTES;
}
