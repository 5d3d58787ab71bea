import type { Json, Presented } from '../../billing/json.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Condition, condition } from '../../db/queries/kernel/condition.ts';
import type { Plain, RowClass } from '../../db/queries/kernel/plain.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import { documentationOf, documented } from '../body/documented.ts';
import { type Field, required } from '../body/fields.ts';
import { parse } from '../body/request.ts';
import { fromForm } from '../body/sent.ts';
import type { ApiRequest } from './apiRequest.ts';
import type { IdColumn, Kind, Relation } from './kind.ts';

/** The object in a path below which others lie: that of `/customers/:customer_id/contacts`. */
export interface Owner {
  to(): Pick<Resource<object, 'id'>, 'name' | 'row' | 'exists'>;
  /** Name of its id in the path. */
  param: string;
  /** Column of the rows below it that has its id. */
  column: string;
}

/** What the API knows of a kind of object: everything that lists, reads and expansions do follows from it. */
export interface Resource<Row extends object, Id extends IdColumn = IdColumn> extends Kind {
  /** As messages call it: "Payment source". */
  name: string;
  row: RowClass<Row>;
  /** A query in parentheses that answers rows of the table, with columns to sort by that the table does not have. */
  from?: string;
  /** Column of the id that clients know; ids that are text may be used again once their object is archived. */
  idColumn: Id;
  /** Its rows have metadata, by which lists can be filtered. */
  metadata?: boolean;
  /** Which rows there are, as far as clients can tell. */
  exists?: Condition;
  /** Only the rows below the object in the path, which has to be there. */
  owner?: Owner;
  /** Which of them a list answers. */
  listed?(request: ApiRequest): Condition;
  /** Columns of lists by the names that the API has for them; each alone is served by an index. */
  columns: Readonly<Record<string, Column>>;
  /** Conditions of lists by the names of their parameters, such as `updated_after`. */
  parameters?: Readonly<Record<string, Filter>>;
  /** Parameters of lists that `listed` or the list's own handler reads. */
  also?: Readonly<Record<string, Field<unknown>>>;
  /** Columns that order a list for which the request asks no order, and break ties. */
  order?: readonly { column: string; direction: 'asc' | 'desc' }[];
  /** Shows rows, with as many statements for many as for one. */
  present(reading: Reading, rows: readonly Plain<Row>[]): Promise<Presented[]>;
  relations?: Readonly<Record<string, Relation<Plain<Row>>>>;
  includes?: Readonly<Record<string, Include<Row>>>;
}

/** A condition of the text that a parameter has. */
export type Filter = (text: string, param: string) => Condition;

export interface Column {
  /** Column of the table that a list can be sorted by; null where it can only be filtered. */
  sort: string | null;
  filter: Filter | null;
}

export type Include<Row> = (reading: Reading, rows: readonly Plain<Row>[]) => Promise<Json[]>;

/** Sorts and filters. */
export function column<Value>(name: string, field: Field<Value>): Column {
  return { sort: name, filter: equals(name, field) };
}

export function sorted(name: string): Column {
  return { sort: name, filter: null };
}

export function filtered<Value>(name: string, field: Field<Value>): Column {
  return { sort: null, filter: equals(name, field) };
}

export function equals<Value>(name: string, field: Field<Value>): Filter {
  return where(field, (value) => condition(`${name} = ?`, value));
}

export function where<Value>(field: Field<Value>, of: (value: Value) => Condition): Filter {
  const filter: Filter = (text, param) => of(readParameter(field, text, param));
  return documented(filter, documentationOf(field));
}

/** The parameters `<name>_after` and `<name>_before` of a list, or others in their place; both bounds belong to it. */
export function between<const From extends string, const To extends string>(
  name: string,
  field: Field<unknown>,
  [from, to]: [From, To],
): Record<From | To, Filter>;
export function between(name: string, field: Field<unknown>, [from, to]: [string, string]): Record<string, Filter> {
  return {
    [from]: where(field, (value) => condition(`${name} >= ?`, value)),
    [to]: where(field, (value) => condition(`${name} <= ?`, value)),
  };
}

/** The value of a parameter. Throws a Refusal that names it. */
export function readParameter<Value>(field: Field<Value>, text: string, param: string): Value {
  try {
    return parse(required(field), fromForm(text));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.message.replace(/^The request/, param), param);
  }
}
