import { Refusal } from '../../billing/refusal.ts';
import { instantsOf, type RelativeDays, relativeDays } from '../../billing/time/relativeDays.ts';
import { all, type Condition, condition } from '../../db/queries/kernel/sql.ts';
import { type JsonSchema, schemaOf } from '../body/documented.ts';
import { boolean, choice, type Field } from '../body/fields.ts';
import { type Column, type Resource, readParameter, type Values } from './resource.ts';
import type { Shape } from './shape.ts';

/** What a filter of a list can ask of a column, beside one value. */
export const operators = ['gte', 'gt', 'lte', 'lt', 'within', 'in', 'contains', 'empty'] as const;
export type Operator = (typeof operators)[number];

/** Why a column does not take an operator. `isUnbounded`: it would be sensible, but no index answers it. */
export interface Unsupported {
  reason: string;
  isUnbounded: boolean;
}

export const MOST_VALUES = 50;

const COMPARISONS = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;
const isComparison = (operator: Operator): operator is keyof typeof COMPARISONS => operator in COMPARISONS;

type Described = Pick<Resource<object>, 'columns' | 'shape' | 'searchable'>;

/** The operators that filters of a column take, in a fixed order. */
export function operatorsOf(resource: Described, name: string): Operator[] {
  return operators.filter((operator) => unsupported(resource, name, operator) === null);
}

/** Why a column does not take an operator; null: it does. */
export function unsupported(
  { columns, shape, searchable }: Described,
  name: string,
  operator: Operator,
): Unsupported | null {
  const column = columns[name];
  if (operator === 'contains')
    return searchable && Object.hasOwn(searchable.columns, name) ? null : withoutWords(column);
  const { values } = column ?? {};
  if (!column || !values) return { reason: 'it takes one value alone', isUnbounded: false };
  const kind = kindOf(values.field);
  if (isComparison(operator)) {
    if (kind !== 'ordered' && kind !== 'number')
      return { reason: 'ranges are of numbers, amounts, days and times', isUnbounded: false };
    return column.sort ? null : withoutOrder;
  }
  if (operator === 'within') {
    if (!isOfTimes(values.field)) return { reason: 'it has no days', isUnbounded: false };
    return column.sort ? null : withoutOrder;
  }
  if (operator === 'in')
    return kind === 'ordered' || kind === 'boolean'
      ? { reason: 'it takes no set of values', isUnbounded: false }
      : null;
  return (values.isNullable ?? isNullable(shape, name)) ? null : { reason: 'it is never empty', isUnbounded: false };
}

const withoutOrder: Unsupported = { reason: 'no index has its values in order', isUnbounded: true };

function withoutWords(column: Column | undefined): Unsupported {
  const isText = column?.values && kindOf(column.values.field) === 'text';
  return isText
    ? { reason: 'no index has parts of its text', isUnbounded: true }
    : { reason: 'its values are no text', isUnbounded: false };
}

type Kind = 'ordered' | 'number' | 'boolean' | 'choice' | 'text';

/** `ordered`: times and days, of which only ranges are asked for; `number`: ids and amounts. */
function kindOf(field: Field<unknown>): Kind {
  const { anyOf, ...schema } = schemaOf(field);
  const [first] = Array.isArray(anyOf) ? anyOf : [];
  const {
    type,
    enum: words,
    format,
  } = typeof first === 'object' && first !== null && !Array.isArray(first) ? first : schema;
  if (type === 'boolean') return 'boolean';
  if (type === 'number' || (type === 'integer' && anyOf)) return 'number';
  if (type === 'integer' || format === 'date') return 'ordered';
  return words ? 'choice' : 'text';
}

const isOfTimes = (field: Field<unknown>): boolean => kindOf(field) === 'ordered' && schemaOf(field).type === 'integer';

/** Whether the column has amounts, which are compared without the row policy. */
export function isOfAmounts({ values }: Column): boolean {
  return values !== undefined && schemaOf(values.field).type === 'number';
}

function isNullable(shape: Shape, name: string): boolean {
  const { properties = {} } = 'oneOf' in shape ? (shape.oneOf[0] ?? {}) : shape;
  const { type, anyOf, oneOf } = properties[name]?.schema ?? {};
  if (Array.isArray(type)) return type.includes('null');
  return [anyOf, oneOf].some((some) => JSON.stringify(some ?? null).includes('{"type":"null"}'));
}

/** A parsed filter with an operator. `alternatives`: disjoint conditions, each of one value. `isWide`: most rows may match. */
export interface Parsed {
  where: Condition;
  alternatives?: Condition[];
  isWide?: boolean;
}

/** The time of a request, and the zone of its account. */
export interface Today {
  now: number;
  zone: string;
}

/** Parses the value of a filter with any operator but `contains`. Throws a Refusal that names the parameter. */
export function parseOperator(
  values: Values,
  operator: Exclude<Operator, 'contains'>,
  { text, param, today }: { text: string; param: string; today: Today },
): Parsed {
  const { name, field, stored = (value: unknown) => value, isWithoutNulls = false } = values;
  const read = (one: string) => stored(readParameter(field, one, param));
  if (isComparison(operator)) return { where: condition(`${name} ${COMPARISONS[operator]} ?`, read(text)) };
  if (operator === 'within') {
    const { from, until } = instantsOf(readParameter(namedDays, text, param), today);
    return {
      where: all([
        ...(from === undefined ? [] : [condition(`${name} >= ?`, new Date(from))]),
        ...(until === undefined ? [] : [condition(`${name} < ?`, new Date(until))]),
      ]),
    };
  }
  if (operator === 'empty') {
    const isEmpty = readParameter(boolean, text, param);
    if (isEmpty && isWithoutNulls)
      throw new Refusal(
        'filter_unbounded',
        `${param} must be false: no index has the objects without a value, only those with one`,
        param,
      );
    return isEmpty
      ? { where: condition(`${name} is null`), alternatives: [condition(`${name} is null`)] }
      : { where: condition(`${name} is not null`), isWide: true };
  }
  const several = [...new Set(splitValues(text, param).map(read))];
  return {
    where: condition(`${name} in (${several.map(() => '?').join(', ')})`, ...several),
    alternatives: several.map((value) => condition(`${name} = ?`, value)),
  };
}

const namedDays: Field<RelativeDays> = choice(...relativeDays);

/** The values of a set, comma-separated. Throws a Refusal if there are none or too many. */
export function splitValues(text: string, param: string): string[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.some((value) => value === ''))
    throw new Refusal('parameter_invalid', `${param} must be values, comma-separated, none of them empty`, param);
  if (values.length > MOST_VALUES)
    throw new Refusal('parameter_invalid', `${param} may have at most ${MOST_VALUES} values`, param);
  return values;
}

/** What the operators of filters ask, for the reference. */
export const OPERATORS_TOLD = `\`filter[name]=value\`: exactly this value. Some also take operators, \`filter[name][operator]=value\`: \`gte\`, \`gt\`, \`lte\`, \`lt\`: at least, more than, at most, less than this value; \`within\`: days that move on with the calendar of the account, such as \`next_7_days\`, which has today among them; weeks begin on Monday; \`in\`: one of several values, comma-separated, at most ${MOST_VALUES}; \`contains\`: text with all these words, where a word is the beginning of a word there, without regard to case and accents; \`empty\`: \`true\` without a value, \`false\` with one`;

/** The schema of the operators of a column. `one`: that of one value. `isWithoutNulls`: no index has the objects without a value. */
export function operatorsSchema(
  taken: readonly Operator[],
  { one, isWithoutNulls = false }: { one: JsonSchema; isWithoutNulls?: boolean | undefined },
): JsonSchema {
  const { description: _, examples: __, ...value } = one;
  const schemas = taken.map((operator): [Operator, JsonSchema] => {
    if (operator === 'empty') return [operator, { type: 'boolean', ...(isWithoutNulls ? { enum: [false] } : {}) }];
    if (operator === 'within') return [operator, { type: 'string', enum: [...relativeDays] }];
    if (operator === 'contains') return [operator, { type: 'string', maxLength: 255 }];
    return [operator, operator === 'in' ? { type: 'string' } : value];
  });
  return { type: 'object', properties: Object.fromEntries(schemas), additionalProperties: false };
}
