import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Statement } from '../statements.ts';

/** A slot for a value of a replayed statement: the captured value, or a new one where the product would use a new one. */
const plainShape = z.union([
  z.object({ subject: z.literal(true), text: z.boolean() }),
  z.object({ random: z.string() }),
  /** A value that an earlier statement returned. `index`: its place if the column holds an array. */
  z.object({
    statement: z.number(),
    row: z.number(),
    column: z.string(),
    index: z.number().nullable(),
    text: z.boolean(),
  }),
  z.object({ fixed: z.unknown() }),
]);
/** A JSON value is split into pieces of text with slots in between. */
const slotShape = z.union([z.object({ pieces: z.array(z.union([z.string(), plainShape])) }), plainShape]);

export const replayShape = z.object({
  databaseUrl: z.string(),
  session: z.string(),
  poolSize: z.number(),
  statements: z.array(z.object({ text: z.string(), values: z.array(slotShape) })),
  /** Body of every response: the product's response when the statements were captured. */
  answer: z.string(),
});

type Slot = z.output<typeof slotShape>;
export type Replay = z.output<typeof replayShape>;

/** The values that one run of the statements has so far. */
export interface Filled {
  results: Record<string, unknown>[][];
  /** Id of the object that the run is about. */
  subject: number;
  /** Random texts in the statements, with those of this run. */
  texts: Map<string, string>;
}

/** Generated ids are at least this large. All other numbers in the statements are smaller. */
export const LEAST_GENERATED = 100_000_000;

/** A random text: a UUID, a token of 128 bits, or a reference of the test gateway. */
const isRandom = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|[a-z]{1,8}_[0-9a-f]{24})$/.test(value);

/** A random text of the same form: other hexadecimal digits behind the same prefix. */
function alike(text: string): string {
  const prefix = /^[a-z]{1,8}_/.exec(text)?.[0] ?? '';
  return prefix + text.slice(prefix.length).replace(/[0-9a-f]/g, () => randomInt(16).toString(16));
}

/** Converts captured statements to statements with a slot for each value. `subject`: the id that differs between runs, when they were captured. */
export function slotted(statements: readonly Statement[], subject: number): Replay['statements'] {
  return statements.map(({ text, values }, position) => ({
    text,
    values: values.map((value) => slotOf(value, statements.slice(0, position), subject)),
  }));
}

function slotOf(value: unknown, before: readonly Statement[], subject: number): Slot {
  if (typeof value !== 'string' || !value.startsWith('[{')) return plainSlotOf(value, before, subject);
  const pieces = value.split(/(\b\d{9,}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{32}\b)/).map((piece, index) => {
    const slot = index % 2 === 0 ? { fixed: piece } : plainSlotOf(piece, before, subject);
    return 'fixed' in slot ? piece : slot;
  });
  return { pieces };
}

function plainSlotOf(value: unknown, before: readonly Statement[], subject: number): z.output<typeof plainShape> {
  const text = typeof value === 'string';
  if (String(value) === String(subject)) return { subject: true, text };
  if (isRandom(value)) return { random: value };
  const isGenerated = /^\d+$/.test(String(value)) ? isLarge(value) : text;
  return (isGenerated ? answered(value, before) : null) ?? { fixed: value ?? null };
}

const isLarge = (value: unknown) => Number(value) >= LEAST_GENERATED;

function answered(value: unknown, before: readonly Statement[]): z.output<typeof plainShape> | null {
  const text = typeof value === 'string';
  const same = (other: unknown) => String(other) === String(value);
  for (const [statement, { rows }] of before.entries()) {
    for (const [row, columns] of rows.entries()) {
      for (const [column, found] of Object.entries(columns)) {
        if (column !== 'number' && !isLarge(value)) continue; // no other text is generated
        if (same(found)) return { statement, row, column, index: null, text };
        const index = Array.isArray(found) ? found.findIndex(same) : -1;
        if (index >= 0) return { statement, row, column, index, text };
      }
    }
  }
  return null;
}

/** The value for a slot in one run. */
export function fill(slot: Slot, run: Filled): unknown {
  if ('pieces' in slot)
    return slot.pieces.map((piece) => (typeof piece === 'string' ? piece : String(fill(piece, run)))).join('');
  if ('fixed' in slot) return slot.fixed;
  if ('subject' in slot) return slot.text ? String(run.subject) : run.subject;
  if ('random' in slot) {
    const made = run.texts.get(slot.random) ?? alike(slot.random);
    run.texts.set(slot.random, made);
    return made;
  }
  const found = run.results[slot.statement]?.[slot.row]?.[slot.column];
  const value: unknown = slot.index !== null && Array.isArray(found) ? found[slot.index] : found;
  return slot.text ? String(value) : value;
}
