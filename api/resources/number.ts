import { numberKey } from '../../billing/numbering.ts';
import { condition } from '../../db/queries/kernel/condition.ts';
import * as fields from '../body/fields.ts';
import { type Column, type Filter, where } from '../framework/resource.ts';

/** Filters a list by a column with `numberKey`, which ignores the case and spacing of numbers. */
export function ofNumber(column: string): Filter {
  return where(fields.text(), (number) => condition(`${column} = ?`, numberKey(number)));
}

/** Sorts and filters a list of documents by their numbers. */
export const byNumber: Column = { sort: 'number_key', filter: ofNumber('number_key') };
