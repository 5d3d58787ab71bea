import { unknownName } from '../../billing/money/nearest.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Condition, condition } from '../../db/queries/kernel/sql.ts';
import { HAS_METADATA, METADATA } from '../../db/schema/indexes.ts';
import * as fields from '../body/fields.ts';
import {
  isOfAmounts,
  type Operator,
  operators,
  operatorsOf,
  parseOperator,
  type Today,
  unsupported,
} from '../framework/operators.ts';
import { bracketed } from '../framework/parameterNames.ts';
import { CUSTOM_FIELDS } from '../framework/parameters.ts';
import { type Filter, type Resource, readParameter } from '../framework/resource.ts';
import { type CustomFields, readCustomField } from './customFields.ts';

/** A filter of a request. */
export interface Applied {
  where: Condition;
  /** Name of the parameter. */
  param: string;
  /** Disjoint conditions, each of one value of an indexed column, whose rows the index has in the order of their ids. */
  alternatives?: readonly Condition[];
  /** The column of which it takes a range. */
  range?: string;
  /** Most rows may match. */
  isWide?: boolean;
  /** It compares amounts. */
  byAmount?: boolean;
  /**
   * A condition that all rows meet. PostgreSQL may not look at the statistics of amounts, and expects half of the rows in a range with one end,
   * but few in one with two: with it, it looks for the rows by their amounts.
   */
  narrowing?: Condition;
}

/** Words that are searched in one column. */
export interface Contained {
  column: string;
  param: string;
  text: string;
}

export interface Filters {
  applied: Applied[];
  contained: Contained[];
}

/**
 * Parses `filter[column]`, `filter[column][operator]`, `metadata[key]` and the list's own parameters. An empty parameter counts as absent, except
 * for metadata, whose values may be empty. Throws a Refusal for an unknown filter, and for one that no index answers.
 */
export function filtersOf<Row extends object>(
  query: URLSearchParams,
  resource: Resource<Row>,
  { accountId, customFields, today }: { accountId: number; customFields: CustomFields | null; today: Today },
): Filters {
  const found: Filters = { applied: [], contained: [] };
  for (const [param, text] of query) {
    const inBrackets = bracketed(param);
    const given = { param, text };
    if (inBrackets?.kind === 'metadata') {
      found.applied.push(ofMetadata(resource, inBrackets.key, { ...given, accountId }));
    } else if (inBrackets) {
      const [name, operator, ...more] = inBrackets.key?.split('][') ?? [];
      if (name === CUSTOM_FIELDS && customFields) {
        const entries = readCustomField(customFields, [operator, ...more], given);
        if (entries.length > 0) found.applied.push({ where: hasMetadata(accountId, entries), param });
      } else add(found, resource, { ...given, today, name, operator: more.length === 0 ? operator : inBrackets.key });
    } else {
      const own = parameterOf(resource, param);
      if (own && text !== '') found.applied.push({ where: own(text, param), param });
    }
  }
  return found;
}

function parameterOf<Row extends object>({ parameters = {} }: Resource<Row>, name: string): Filter | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

interface Given {
  /** Name of the parameter, as in the request. */
  param: string;
  text: string;
}

/** Adds a filter of a column. Throws a Refusal for an unknown column or operator, also if it has no value. */
function add<Row extends object>(
  found: Filters,
  resource: Resource<Row>,
  {
    name = '',
    operator: given,
    ...parameter
  }: Given & { today: Today; name: string | undefined; operator: string | undefined },
): void {
  const { text, param } = parameter;
  const { columns } = resource;
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  const taken = column ? operatorsOf(resource, name) : [];
  if (!column || (!column.filter && taken.length === 0)) {
    const known = Object.keys(columns).filter((one) => columns[one]?.filter || operatorsOf(resource, one).length > 0);
    throw new Refusal('parameter_unknown', unknownName('filter column', name === '' ? text : name, known), param);
  }
  if (given === undefined) {
    if (!column.filter)
      throw new Refusal('parameter_unknown', `filter[${name}] takes an operator: ${spelled(name, taken)}`, param);
    if (text === '') return;
    const where = column.filter(text, param);
    found.applied.push({ where, param, alternatives: [where], byAmount: isOfAmounts(column) });
    return;
  }
  const operator = operatorIn(resource, name, { given, taken, param });
  if (text === '') return;
  if (operator === 'contains') found.contained.push({ column: name, param, text });
  else if (column.values) {
    const byAmount = isOfAmounts(column);
    const { name: of } = column.values;
    const isRange = ['gte', 'gt', 'lte', 'lt', 'within'].includes(operator);
    const end = operator.startsWith('g') ? "<= 'infinity'" : ">= '-infinity'";
    const range = isRange ? { range: of, ...(byAmount ? { narrowing: condition(`${of} ${end}::numeric`) } : {}) } : {};
    found.applied.push({ ...parseOperator(column.values, operator, parameter), ...range, byAmount, param });
  }
}

const spelled = (name: string, taken: readonly Operator[]): string =>
  taken.map((operator) => `filter[${name}][${operator}]`).join(', ');

/** Throws a Refusal for an operator that the column does not take, with the reason. */
function operatorIn<Row extends object>(
  resource: Resource<Row>,
  name: string,
  { given, taken, param }: { given: string; taken: readonly Operator[]; param: string },
): Operator {
  const known = operators.find((one) => one === given);
  const offered = taken.length === 0 ? 'it takes one value alone' : `it takes ${spelled(name, taken)}`;
  if (!known)
    throw new Refusal(
      'parameter_unknown',
      `${unknownName('operator', given === '' ? '[]' : given, taken)} (filter[${name}]: ${offered})`,
      param,
    );
  const refused = unsupported(resource, name, known);
  if (!refused) return known;
  const code = refused.isUnbounded ? 'filter_unbounded' : 'parameter_unknown';
  throw new Refusal(code, `filter[${name}] cannot be filtered by ${known}: ${refused.reason}; ${offered}`, param);
}

/** SQL condition for objects whose metadata has exactly this value under the key. */
function ofMetadata<Row extends object>(
  resource: Resource<Row>,
  key: string | undefined,
  { param, text, accountId }: Given & { accountId: number },
): Applied {
  if (!resource.metadata)
    throw new Refusal(
      'parameter_unknown',
      `${resource.name} lists cannot be filtered by metadata: these objects have none`,
      param,
    );
  const [name, value] = readMetadataFilter(key, param, text);
  return { where: hasMetadata(accountId, [[name, value]]), param };
}

/** SQL condition for objects whose metadata has one of these values. */
function hasMetadata(accountId: number, entries: readonly (readonly [key: string, value: string])[]): Condition {
  const documents = entries.map(([key, value]) => JSON.stringify({ [accountId]: { [key]: value } }));
  const one = `${METADATA} @> ?::jsonb`;
  const some = documents.length === 1 ? one : `(${documents.map(() => one).join(' or ')})`;
  return condition(`${HAS_METADATA} and ${some}`, ...documents);
}

/** Parses a parameter `metadata[key]=value` into key and value. The value may be empty. Throws a Refusal that names the parameter. */
export function readMetadataFilter(key: string | undefined, name: string, text: string): [key: string, value: string] {
  if (!key) throw new Refusal('parameter_invalid', 'Metadata filter without a key: write metadata[key]=value', name);
  if (key.includes(']['))
    throw new Refusal(
      'parameter_invalid',
      'Metadata filter with several keys: write metadata[key]=value for each',
      name,
    );
  return [readParameter(fields.text(40), key, name), text === '' ? '' : readParameter(fields.text(), text, name)];
}
