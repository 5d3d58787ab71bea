import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['object', 'created_at', 'updated_at'];
const country = fields.described(fields.country, 'Country of the place: two-letter ISO 3166-1 code; null: any country');
const state = fields.described(
  fields.text(),
  'State as in addresses, compared without regard to case; null: the whole country',
);

const reverseCharge = fields.described(
  fields.boolean,
  'True: companies outside your country, with a well-formed VAT number of theirs, owe the tax themselves',
);

export const newTaxRule = object(
  { tax_rate: fields.required(fields.code), country, state, reverse_charge: fields.withDefault(reverseCharge, false) },
  { readOnly },
);

export const taxRuleChange = object(
  { tax_rate: fields.kept(fields.code), country, state, reverse_charge: fields.resettable(reverseCharge, false) },
  { readOnly: ['id', ...readOnly] },
);
