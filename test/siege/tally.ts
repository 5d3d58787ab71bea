import { z } from 'zod';

/** The result of a request. `status` is "time-out" or "cut" when no answer came. */
export interface RequestResult {
  status: number | 'time-out' | 'cut';
  text: string;
  milliseconds: number;
  /** The parsed JSON body. null: the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  json: any;
}

const outcome = z.object({
  count: z.number(),
  worstMilliseconds: z.number(),
  /** Some distinct messages of these answers. */
  messages: z.array(z.string()),
});

/** Counts of answers, by attack and status. */
export const tallyShape = z.record(z.string(), z.record(z.string(), outcome));
export type Tally = z.output<typeof tallyShape>;

const MOST_MESSAGES = 6;

/** Adds an answer to the tally. */
export function count(tally: Tally, attack: string, { status, text, milliseconds, json }: RequestResult): void {
  tally[attack] ??= {};
  const outcomes = tally[attack];
  outcomes[status] ??= { count: 0, worstMilliseconds: 0, messages: [] };
  const kept = outcomes[status];
  kept.count += 1;
  kept.worstMilliseconds = Math.max(kept.worstMilliseconds, Math.round(milliseconds));
  const message = messageOf({ json, text });
  if (status === 200 || status === 201 || status === 204) return;
  if (kept.messages.length < MOST_MESSAGES && !kept.messages.includes(message)) kept.messages.push(message);
}

/** The message of an answer, in one line of at most 160 characters. */
export function messageOf({ json, text }: Pick<RequestResult, 'json' | 'text'>): string {
  const message: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'message') : undefined;
  const said = typeof message === 'string' ? message : text.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ');
  return said.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, 160);
}

/** The sum of several tallies. */
export function mergeTallies(tallies: readonly Tally[]): Tally {
  const all: Tally = {};
  for (const tally of tallies) {
    for (const [attack, outcomes] of Object.entries(tally)) {
      all[attack] ??= {};
      for (const [status, more] of Object.entries(outcomes)) all[attack][status] = sum(all[attack][status], more);
    }
  }
  return all;
}

function sum(one: z.output<typeof outcome> | undefined, other: z.output<typeof outcome>): z.output<typeof outcome> {
  if (!one) return other;
  return {
    count: one.count + other.count,
    worstMilliseconds: Math.max(one.worstMilliseconds, other.worstMilliseconds),
    messages: [...new Set([...one.messages, ...other.messages])].slice(0, MOST_MESSAGES),
  };
}
