import { z } from 'zod';
import type { RequestedAdjustment } from '../../../commands/catalog/adjustments.ts';
import { documentationOf, documented, schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { textOf } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';

const MOST = 20;
/**
 * An amount with a coupon or rate may be negative. The command ignores it, because it is computed. It checks only an amount without a coupon
 * or rate.
 */
const amount = fields.described(
  fields.amount,
  'Amount of its own, zero or more, without coupon or tax rate; with one, it is computed and the given amount is ignored; in major currency units',
);
const own = { id: fields.described(fields.longId, 'Id of a discount or tax that the object already has'), amount };

const discount = object({ ...own, coupon: fields.code }, { readOnly: ['object', 'expires'] });
const tax = object({ ...own, tax_rate: fields.code }, { readOnly: ['object', 'updated_at'] });

/**
 * Discounts of a line or document. Each one is a coupon's id, or an object with a coupon, an amount, or the id of an existing discount.
 */
export const discounts = adjustments(
  'coupon',
  documented(
    discount.transform(({ coupon, ...rest }) => ({ ...rest, code: coupon })),
    documentationOf(discount),
  ),
);

/** Taxes of a line or document, in the same forms as `discounts`: a tax rate takes the place of the coupon. */
export const taxes = adjustments(
  'tax_rate',
  documented(
    tax.transform(({ tax_rate, ...rest }) => ({ ...rest, code: tax_rate })),
    documentationOf(tax),
  ),
);

type ObjectForm = { [Name in keyof RequestedAdjustment]?: RequestedAdjustment[Name] | undefined };

function adjustments(source: 'coupon' | 'tax_rate', whole: z.ZodType<ObjectForm>) {
  const read = z
    .unknown()
    .transform((value) => toObjectForm(value, source))
    .pipe(whole)
    .transform(({ id = null, code = null, amount = null }, context): RequestedAdjustment => {
      if (id !== null || code !== null || amount !== null) return { id, code, amount };
      context.addIssue({ code: 'custom', message: `needs ${source}, amount or the id of an existing one` });
      return z.NEVER;
    });
  const schema = { anyOf: [schemaOf(fields.newCode), schemaOf(whole)] };
  return fields.list(documented(read, { schema, presence: 'kept' }), MOST);
}

/** Converts an id, or a coupon or rate as in a response, to the object form. */
function toObjectForm(value: unknown, source: string): unknown {
  if (textOf(value) !== null) return { [source]: value };
  if (typeof value !== 'object' || value === null || isSent(value) || !('id' in value)) return value;
  const text = textOf(value.id);
  return text === null || (isSent(value.id) && /^\d+$/.test(text)) ? value : { [source]: value.id };
}
