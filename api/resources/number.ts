import { numberKey } from '../../billing/numbering.ts';
import { condition } from '../../db/queries/kernel/condition.ts';
import * as fields from '../body/fields.ts';
import { type Column, where } from '../framework/resource.ts';

/** Sorts and filters a list by `numberKey`, which ignores the case and spacing of numbers. */
export const byNumber: Column = {
  sort: 'number_key',
  filter: where(fields.text(), (number) => condition('number_key = ?', numberKey(number))),
};
