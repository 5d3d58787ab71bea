import { Refusal } from '../../billing/refusal.ts';
import { labelOf, paramOf } from './request.ts';
import { isSent } from './sent.ts';

/** PostgreSQL cannot store a null character in text, so it is refused everywhere, even in fields that are ignored. */
const NUL = '\0';
/** The null character as encoded in a URL or a form. `%2500` does not contain it: that is the text `%00`. */
const ENCODED = '%00';

type Path = readonly (string | number)[];

/** Throws a Refusal, which names the parameter, for a null character in a URL. */
export function refuseNulInUrl({ url, querystring }: { url: string; querystring: string }): void {
  if (!url.includes(ENCODED) && !url.includes(NUL)) return;
  const parameters = [...new URLSearchParams(querystring)];
  const found = parameters.find(([name, value]) => name.includes(NUL) || value.includes(NUL));
  throw new Refusal('parameter_invalid', 'A URL must not contain null characters (%00)', found?.[0]);
}

/** Throws a Refusal, which names the field, for a null character in a parsed body or form. */
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
  return new Refusal(
    'parameter_invalid',
    `${labelOf(path)} must be Unicode text without null characters`,
    paramOf(path),
  );
}

/** Passes the chunks of a form through. Throws a Refusal at a null character, encoded or not. */
export async function* withoutNul(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let tail = '';
  for await (const chunk of chunks) {
    const text = `${tail}${chunk.toString('latin1')}`;
    if (text.includes(NUL) || text.includes(ENCODED))
      throw new Refusal('parameter_invalid', 'A form must not contain null characters');
    tail = text.slice(1 - ENCODED.length);
    yield chunk;
  }
}
