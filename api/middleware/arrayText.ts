import { Readable } from 'node:stream';
import type { Presented } from '../../billing/json.ts';
import { breather } from '../../db/fairness/breather.ts';
import { presentAs } from '../../present/versions/versions.ts';

/** Longer arrays are streamed at the client's speed, so that the whole text is never in memory. */
const MOST_CHARACTERS = 1_000_000;

/** JSON text of an array in the client's version. It is built one element at a time and yields to other requests in between. */
export function arrayText(version: string | null, members: readonly Presented[]): Promise<string | Readable> {
  return joinedText(textsOf(version, members));
}

/** The text of parts. They are built in the request up to MOST_CHARACTERS, and the rest as the client reads. */
export async function joinedText(parts: AsyncGenerator<string, void>): Promise<string | Readable> {
  let text = '';
  for (;;) {
    const part = await parts.next();
    if (part.done) return text;
    text += part.value;
    if (text.length > MOST_CHARACTERS) return Readable.from(joined(text, parts), { objectMode: false });
  }
}

async function* textsOf(version: string | null, members: readonly Presented[]): AsyncGenerator<string, void> {
  const breathe = breather();
  yield '[';
  for (const [index, member] of members.entries()) {
    await breathe();
    yield (index === 0 ? '' : ',') + JSON.stringify(presentAs(version, member));
  }
  yield ']';
}

async function* joined(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}
