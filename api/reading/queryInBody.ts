import { Refusal } from '../../billing/refusal.ts';
import type { SavedQuery } from '../../billing/savedViews.ts';
import * as fields from '../body/fields.ts';
import { readText, unfit } from '../body/readers.ts';
import { paramOf } from '../body/request.ts';
import { isSent } from '../body/sent.ts';

/** The parameters of a list inside a body. */

const MOST_PARAMETERS = 50;
const MOST_TEXT = 1000;
/** Parameters of a request for a list, not of what it finds. */
const OF_REQUEST: readonly string[] = ['page', 'per_page', 'cursor', 'format', 'columns'];

/** Texts by the names of parameters. An object below a name is written out: `{"filter": {"status": "draft"}}` is `filter[status]`. */
export const queryField = fields.field(
  (value): SavedQuery => {
    const given = parametersIn(value, null);
    if (given.length > MOST_PARAMETERS) return unfit(`may have at most ${MOST_PARAMETERS} names`);
    return Object.fromEntries(given);
  },
  { type: 'object', maxProperties: MOST_PARAMETERS, additionalProperties: true },
);

function parametersIn(value: unknown, below: string | null): [name: string, text: string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isSent(value))
    return unfit('must be an object of texts');
  return Object.entries(value).flatMap(([key, part]): [string, string][] => {
    const name = below === null ? key : `${below}[${key}]`;
    if (part === null) return [];
    if (typeof part === 'object' && !isSent(part)) return parametersIn(part, name);
    return [[name, readText(isSent(part) ? part.text : typeof part === 'boolean' ? String(part) : part, MOST_TEXT)]];
  });
}

/** The parameters as a list reads them. Refuses those that are not about what it finds; `who` keeps none of them. */
export function listQuery(query: SavedQuery | null | undefined, who: string): URLSearchParams {
  const [unkept] = Object.keys(query ?? {}).filter((name) => OF_REQUEST.includes(name));
  if (unkept !== undefined)
    throw new Refusal('parameter_invalid', `${who} keeps no ${unkept} in its query`, paramOf(['query', unkept]));
  return new URLSearchParams({ ...query });
}

/** Runs work that reads parameters: a Refusal that names one names its place in the body, which `place` tells. */
export async function inPlace<Result>(place: (param: string) => string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw placed(error, place);
  }
}

/** The error of work that read parameters: a Refusal that names one names its place in the body. */
function placed(error: unknown, place: (param: string) => string): unknown {
  if (!(error instanceof Refusal) || error.param === null) return error;
  return new Refusal(error.code, error.message, place(error.param));
}
