import { visibleLine } from './visibleText.ts';

/** The last part of what a client calls its file: no folders, nothing hidden (`exe.fdp` may look like `pdf.exe`). Empty where that leaves nothing. */
export function plainFileName(said: string): string {
  const last = said.split(/[/\\]/).at(-1) ?? '';
  const name = visibleLine(last).trim();
  return /^\.*$/.test(name) ? '' : name;
}

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;
const ANY_BYTES = 'application/octet-stream';

/** A MIME type without its parameters, lower case; null for what is none. */
export function mimeType(said: string): string | null {
  const type = (said.split(';')[0] ?? '').trim().toLowerCase();
  return type.length <= 255 && TYPE.test(type) ? type : null;
}

/** Of what people attach to documents. */
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

/** Type of a file whose client said none, or none that is one: by its name. */
export function typeOfFile(name: string, said: string | null): string {
  const given = said === null ? null : mimeType(said);
  if (given !== null && given !== ANY_BYTES) return given;
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? '';
  return byExtension[extension.toLowerCase()] ?? ANY_BYTES;
}
