import type { Presented } from '../billing/json.ts';
import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import type { OrderBy, RowClass, Slice, Where } from '../db/queries/listing.ts';
import type { Relations } from './expand.ts';
import { type Field, required } from './fields.ts';
import { parse } from './request.ts';
import type { ApiRequest } from './route.ts';
import { fromForm } from './sent.ts';

export type Direction = 'asc' | 'desc';
/** A condition of the value that a parameter has, as text. */
export type Condition<Row> = (text: string, param: string) => Where<Row>;
export type Ordering<Row> = (to: Direction) => OrderBy<Row>;

/** What can be listed of a resource, and how. Columns are named as the API names them; every one that is here is indexed or small. */
export interface Listing<Row extends object> {
  row: RowClass<Row>;
  /** What is listed at all: rows of the caller's account. */
  scope(request: ApiRequest): Where<Row>;
  sort: Readonly<Record<string, Ordering<Row>>>;
  /** Of `filter[column]`. */
  filter: Readonly<Record<string, Condition<Row>>>;
  /** Of parameters beside `filter`, such as `updated_after`. */
  parameters: Readonly<Record<string, Condition<Row>>>;
  /** Breaks ties, and orders what no `sort` orders. */
  byId: Ordering<Row>;
  newestFirst?: boolean;
  /** One page with all that `present` needs: no query for each row. */
  find(em: EntityManager, where: Where<Row>, slice: Slice<Row>): Promise<Row[]>;
  present(row: Row): Presented;
  relations?: Relations<Row>;
}

/** Makes conditions on rows of one table, from what a field reads. */
export function conditionsOn<Row>() {
  return <Value>(field: Field<Value>, where: (value: Value) => Where<Row>): Condition<Row> =>
    (text, param) =>
      where(readParameter(field, text, param));
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
