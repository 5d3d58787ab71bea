import { documentationOf, documented } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const address = object(
  {
    name: fields.name,
    attention_to: fields.text(),
    ...fields.address,
  },
  { readOnly: ['updated_at'] },
);

const read = address.transform(({ attention_to, postal_code, ...sent }) => ({
  name: sent.name ?? null,
  attentionTo: attention_to ?? null,
  address1: sent.address1 ?? null,
  address2: sent.address2 ?? null,
  city: sent.city ?? null,
  state: sent.state ?? null,
  postalCode: postal_code ?? null,
  country: sent.country ?? null,
}));

/** Replaces the whole address: absent fields become empty. Null: no address. */
export const shipTo = fields.described(
  fields.nested(documented(read, documentationOf(address))),
  'Shipping address; it replaces the current one completely, and fields that are absent become empty',
);
