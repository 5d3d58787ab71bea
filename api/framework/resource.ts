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

/** The object in a path that owns the rows: the customer of `/customers/:customer_id/contacts`. */
export interface Owner {
  to(): Pick<Resource<object, 'id'>, 'name' | 'row' | 'exists'>;
  /** Name of its id in the path. */
  param: string;
  /** Column of the owned rows that holds its id. */
  column: string;
}

/** Declaration of a resource; lists, reads and expansions are derived from it. */
export interface Resource<Row extends object, Id extends IdColumn = IdColumn> extends Kind {
  /** Its name in messages: "Payment source". */
  name: string;
  row: RowClass<Row>;
  /** A subquery in parentheses in place of the table, with extra columns to sort by. */
  from?: string;
  /** Column of the public id. A text id may be reused once its object is archived. */
  idColumn: Id;
  /** Its rows have metadata, by which lists can be filtered. */
  metadata?: boolean;
  /** Condition for rows that exist for clients. */
  exists?: Condition;
  /** The owner in the path, which must exist. Only its rows are answered. */
  owner?: Owner;
  /** Condition for the rows that a list answers. */
  listed?(request: ApiRequest): Condition;
  /** Columns of lists by their API names. Each has an index of its own. */
  columns: Readonly<Record<string, Column>>;
  /** Conditions of lists by the names of their parameters, such as `updated_after`. */
  parameters?: Readonly<Record<string, Filter>>;
  /** Parameters of lists that `listed` or the list's own handler reads. */
  also?: Readonly<Record<string, Field<unknown>>>;
  /** Default order of a list; it also breaks ties. */
  order?: readonly { column: string; direction: 'asc' | 'desc' }[];
  /** Presents rows. The number of statements does not depend on the number of rows. */
  present(reading: Reading, rows: readonly Plain<Row>[]): Promise<Presented[]>;
  relations?: Readonly<Record<string, Relation<Plain<Row>>>>;
  includes?: Readonly<Record<string, Include<Row>>>;
}

/** Makes a condition of a parameter's text. */
export type Filter = (text: string, param: string) => Condition;

export interface Column {
  /** Column of the table to sort by; null: only filtering. */
  sort: string | null;
  filter: Filter | null;
}

export type Include<Row> = (reading: Reading, rows: readonly Plain<Row>[]) => Promise<Json[]>;

/** A column to sort and filter by. */
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

/** The parameters `<name>_after` and `<name>_before` of a list, or others in their place; both bounds are inclusive. */
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

/** The value of a parameter. Throws a Refusal that names the parameter. */
export function readParameter<Value>(field: Field<Value>, text: string, param: string): Value {
  try {
    return parse(required(field), fromForm(text));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.message.replace(/^The request/, param), param);
  }
}
