import { Refusal } from '../../billing/refusal.ts';
import { labelOf, paramOf } from './request.ts';
import { isSent } from './sent.ts';

/** PostgreSQL stores no text with a null character, so it is refused everywhere, also in fields that are otherwise ignored. */
const NUL = '\0';
/** The null character as encoded in an address or a form; `%2500` is the text `%00`. */
const ENCODED = '%00';

type Path = readonly (string | number)[];

/** Throws a Refusal for a null character in an address, naming its parameter. */
export function refuseNulInUrl({ url, querystring }: { url: string; querystring: string }): void {
  if (!url.includes(ENCODED) && !url.includes(NUL)) return;
  const parameters = [...new URLSearchParams(querystring)];
  const found = parameters.find(([name, value]) => name.includes(NUL) || value.includes(NUL));
  throw new Refusal('A URL must not contain null characters (%00)', found?.[0]);
}

/** Throws a Refusal for a null character in a body or a form, naming its field. */
export function refuseNulInBody(body: unknown, path: Path = []): void {
  if (hasNul(isSent(body) ? body.text : body)) throw nulAt(path);
  if (typeof body !== 'object' || body === null || isSent(body)) return;
  for (const [name, value] of Object.entries(body)) {
    const inner = [...path, Array.isArray(body) ? Number(name) : name];
    if (hasNul(name)) throw nulAt(inner);
    refuseNulInBody(value, inner);
  }
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes(NUL);
}

function nulAt(path: Path): Refusal {
  return new Refusal(`${labelOf(path)} must be Unicode text without null characters`, paramOf(path));
}

/** Passes on the chunks of a form. Throws a Refusal at a null character, encoded or not. */
export async function* withoutNul(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let tail = '';
  for await (const chunk of chunks) {
    const text = `${tail}${chunk.toString('latin1')}`;
    if (text.includes(NUL) || text.includes(ENCODED)) throw new Refusal('A form must not contain null characters');
    tail = text.slice(1 - ENCODED.length);
    yield chunk;
  }
}
