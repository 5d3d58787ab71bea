import { unknownName } from '../../../billing/money/nearest.ts';
import { cut, Refusal } from '../../../billing/refusal.ts';
import type { ReportName } from '../../../billing/reports/report.ts';
import * as fields from '../../body/fields.ts';
import { unfit } from '../../body/readers.ts';
import { paramOf } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';
import { bracketed } from '../../framework/parameterNames.ts';

const MOST_PARAMETERS = 30;

/** Parameters of a report in a body: an object with texts or numbers, and in `metadata` one of texts. Reads them as those of a path. */
export const parametersField = fields.field(
  (value): URLSearchParams => {
    const sent = partsOf(value).filter(([, part]) => part !== null);
    const given = sent.flatMap(([key, part]) =>
      key === 'metadata'
        ? partsOf(part).map(([field, text]) => [`metadata[${field}]`, text] as const)
        : [[key, part] as const],
    );
    if (given.length > MOST_PARAMETERS) return unfit(`may have at most ${MOST_PARAMETERS} names`);
    return new URLSearchParams(given.map(([key, part]): [string, string] => [key, textOf(key, part)]));
  },
  {
    type: 'object',
    properties: {
      metadata: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Only customers whose custom fields have these values now',
        examples: [{ segment: 'Retail' }],
      },
    },
    additionalProperties: true, // types of the client would not allow `metadata` besides those of all other names
  },
);

function partsOf(value: unknown): [name: string, part: unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isSent(value))
    return unfit('must be an object');
  return Object.entries(value);
}

function textOf(name: string, part: unknown): string {
  const text = isSent(part) ? part.text : part;
  return typeof text === 'string' ? text : unfit(`must have texts or numbers: ${cut(name)}`);
}

/** Runs work that reads the field `parameters` of a body: a Refusal that names a parameter names its place in the body. */
export async function inParameters<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.param === null) throw error;
    const inside = bracketed(error.param);
    const path = inside?.kind === 'metadata' && inside.key ? ['metadata', inside.key] : [error.param];
    throw new Refusal(error.code, error.message, paramOf(['parameters', ...path]));
  }
}

/** Refuses names that a report does not have as parameters. */
export function refuseUnknownParameters(
  given: URLSearchParams,
  { report, known }: { report: ReportName; known: readonly string[] },
): void {
  const takesMetadata = known.includes('metadata');
  const isKnown = (name: string) => known.includes(name) || (takesMetadata && bracketed(name)?.kind === 'metadata');
  const unknown = [...given.keys()].find((name) => !isKnown(name));
  if (unknown !== undefined)
    throw new Refusal('parameter_unknown', unknownName(`parameter of the report ${report}`, unknown, known), unknown);
}
