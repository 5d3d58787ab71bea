import { unknownName } from '../../../billing/money/nearest.ts';
import { cut, Refusal } from '../../../billing/refusal.ts';
import type { ReportName } from '../../../billing/reports/report.ts';
import * as fields from '../../body/fields.ts';
import { unfit } from '../../body/readers.ts';
import { paramOf } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';
import { bracketed } from '../../framework/parameterNames.ts';

const MOST_PARAMETERS = 30;

/** Parameters of a report in a body: an object with texts, numbers or flags, and in `metadata` one of texts. Reads them as those of a path. */
export const parametersField = fields.field(
  (value): URLSearchParams => {
    const given = partsOf(value).flatMap(([key, part]) =>
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
    additionalProperties: { type: ['string', 'number', 'null'] },
  },
);

/** The parts of an object that have a value. */
function partsOf(value: unknown): [name: string, part: unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isSent(value))
    return unfit('must be an object');
  return Object.entries(value).filter(([, part]) => part !== null);
}

function textOf(name: string, part: unknown): string {
  const text = isSent(part) ? part.text : part;
  return typeof text === 'string' ? text : unfit(`must have texts or numbers: ${cut(name)}`);
}

/** Runs work that reads the field `parameters` of a body: a Refusal that names a parameter names its place in the body. */
export function inParameters<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.param === null) throw error;
    throw new Refusal(error.code, error.message, paramOf(['parameters', error.param]));
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
