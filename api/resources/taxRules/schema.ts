import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['object', 'created_at', 'updated_at'];
const country = fields.described(fields.country, 'Empty: any country');
const state = fields.described(fields.text(), 'As in addresses, in any case; empty: the whole country');

export const newTaxRule = object({ tax_rate: fields.required(fields.code), country, state }, { readOnly });

export const taxRuleChange = object(
  { tax_rate: fields.kept(fields.code), country, state },
  { readOnly: ['id', ...readOnly] },
);
