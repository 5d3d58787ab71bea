import type { Json, Presented } from '../../billing/json.ts';
import type { Area } from '../../billing/people/permissions.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Direction, SortColumn } from '../../db/queries/kernel/keyset.ts';
import { CUSTOMER_KEY, CUSTOMER_NAME } from '../../db/queries/kernel/parts.ts';
import type { Plain, RowClass } from '../../db/queries/kernel/plain.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { Searchable } from '../../db/queries/kernel/search.ts';
import { type Condition, condition } from '../../db/queries/kernel/sql.ts';
import { documentationOf, documented } from '../body/documented.ts';
import { amount, type Field, required, timestamp } from '../body/fields.ts';
import { parse } from '../body/request.ts';
import { fromForm } from '../body/sent.ts';
import type { ApiRequest } from './apiRequest.ts';
import type { IdColumn, Kind, Relation, Wanted } from './kind.ts';

/** The object in a path that owns the rows, such as the customer in `/customers/:customer_id/contacts`. */
export interface Owner {
  to(): Pick<Resource<object, 'id'>, 'name' | 'row' | 'exists'>;
  /** Name of its id in the path. */
  param: string;
  /** Column of the owned rows that holds its id. */
  column: string;
}

/** Declaration of a resource. Lists, reads and expansions are derived from it. */
export interface Resource<Row extends object, Id extends IdColumn = IdColumn> extends Kind {
  /** Its name in messages: "Payment source". */
  name: string;
  /** Subject of the permissions to read and write it. */
  area: Area;
  row: RowClass<Row>;
  /** Replaces the table: a subquery in parentheses, with additional columns to sort by. */
  from?: string;
  /** Column of the public id. A text id (`code`) may be reused once its object is archived. */
  idColumn: Id;
  /** Whether its rows have metadata. Lists can then be filtered by it. */
  metadata?: boolean;
  /** SQL condition for the rows that clients may see: not deleted, not archived. */
  exists?: Condition;
  /** The owner in the path. It must exist, and only its rows are returned. */
  owner?: Owner;
  /** Replaces the table for the lists that need it, in the same way. */
  listedFrom?(request: ApiRequest): Condition | undefined;
  /** SQL condition for the rows that a list returns. */
  listed?(request: ApiRequest): Condition;
  /** Columns by which lists are sorted or filtered, by their API names. Each needs an index. */
  columns: Readonly<Record<string, Column>>;
  /** Further filters of lists, by parameter name, such as `updated_after`. */
  parameters?: Readonly<Record<string, Filter>>;
  /** How lists are searched by the parameter `search`. */
  searchable?: Searchable;
  /** Parameters of lists that are no filters: `listed` or the handler of the route reads them. */
  extraParameters?: Readonly<Record<string, Field<unknown>>>;
  /** Default order of a list; it also breaks ties. */
  order?: readonly { column: string; direction: 'asc' | 'desc' }[];
  /** Columns of its CSV by default; unset: all fields with a single value. */
  csvColumns?: readonly string[];
  /** Keeps an object from changing until the end of the transaction. Absent: its row is locked. */
  locked?(caller: Caller): (em: EntityManager) => Promise<void>;
  /** Presents rows, in their order. The number of statements must not depend on the number of rows. */
  present(reading: Reading, rows: readonly Plain<Row>[]): Promise<Presented[]>;
  relations?: Readonly<Record<string, Relation<Plain<Row>>>>;
  includes?: Readonly<Record<string, Include<Row>>>;
}

/** Parses the text of a parameter into an SQL condition. Throws a Refusal that names the parameter. */
export type Filter = (text: string, param: string) => Condition;

export interface Column {
  /** Column of the table to sort by, or an order that takes more than one. Null: lists cannot be sorted by it. */
  sort: string | SortBy | null;
  /** Filters by one value. */
  filter: Filter | null;
  /** What it holds, from which the operators of its filters follow. Unset: lists filter by one value alone. */
  values?: Values;
}

/** An order of rows that an index has. Rows that tie are sorted by id in the same direction, as the index has them. */
export type SortBy = (direction: Direction) => SortColumn[];

export interface Values {
  /** Column of the table. */
  name: string;
  field: Field<unknown>;
  /** A value as the column has it; unset: as it is given. */
  stored?: (value: unknown) => unknown;
  /** Its index leaves out nulls: filters find the objects with a value, and not those without. */
  isWithoutNulls?: boolean;
  /** Whether it can be null; unset: as the field of this name in responses. */
  isNullable?: boolean;
}

/** A field that is shown only when a request includes it. */
export interface Include<Row> {
  /** Subject of the permission to read it. */
  area: Area;
  read(reading: Reading, rows: readonly Plain<Row>[], at: Wanted['at']): Promise<Json[]>;
  /** Names of all entries that lists of the account have in it, such as currencies: a `*` in columns of a CSV stands for each. */
  entries?(request: Pick<ApiRequest, 'em' | 'caller'>): Promise<string[]>;
}

/** A column to sort and filter by. */
export function column<Value>(name: string, field: Field<Value>): Column {
  return { sort: name, filter: equals(name, field), values: { name, field } };
}

/** A column to sort by. Its values are points in time, unless `field` says otherwise; filters take ranges of them. */
export function sorted(name: string, field: Field<unknown> = timestamp): Column {
  return { sort: name, filter: null, values: { name, field } };
}

export function filtered<Value>(name: string, field: Field<Value>): Column {
  return { sort: null, filter: equals(name, field), values: { name, field } };
}

/** The same for a column whose index leaves out nulls. */
export function filteredIfSet<Value>(name: string, field: Field<Value>): Column {
  return { sort: null, filter: equals(name, field), values: { name, field, isWithoutNulls: true } };
}

/** A column of text that only `contains` filters: the index of searches has its words. */
export const contained: Column = { sort: null, filter: null };

/** A column of amounts. Many rows have the same one. */
export function amounts(name: string): Column {
  const sort: SortBy = (direction) => [{ column: name, direction, nullable: false, byAmount: true }];
  return { sort, filter: equals(name, amount), values: { name, field: amount } };
}

/** Sorts documents by the names of their customers. `nullable`: some have none; they come last. */
export function byCustomerName(nullable = false): Column {
  const sort: SortBy = (direction) => [
    { column: CUSTOMER_NAME, direction, nullable, ...(nullable ? { nulls: 'last' } : {}), isOfCustomer: true },
    { column: CUSTOMER_KEY, direction, nullable, isOfCustomer: true },
  ];
  return { sort, filter: null };
}

export function equals<Value>(name: string, field: Field<Value>): Filter {
  return where(field, (value) => condition(`${name} = ?`, value));
}

export function where<Value>(field: Field<Value>, of: (value: Value) => Condition): Filter {
  const filter: Filter = (text, param) => of(readParameter(field, text, param));
  return documented(filter, documentationOf(field));
}

/** Filters for a range of a column's values. `from` and `to` are the names of the parameters; both bounds are inclusive. */
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

/** Filters that find the rows which changed in a range of time. */
export const updatedBetween = between('updated_at', timestamp, ['updated_after', 'updated_before']);

/** Parses the value of a parameter. Throws a Refusal that names the parameter. */
export function readParameter<Value>(field: Field<Value>, text: string, param: string): Value {
  return parse(required(field), fromForm(text), param);
}
