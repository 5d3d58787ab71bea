import { z } from 'zod';
import { numberKey } from '../../../billing/documents/numbering.ts';
import { MOST_LINE_ADJUSTMENTS, MOST_LINES } from '../../../billing/limits.ts';
import { paymentMethods } from '../../../billing/payments/paymentMethods.ts';
import { parseTerms, refusePlanTerms, termsText } from '../../../billing/time/terms.ts';
import type { RequestedAdjustment } from '../../../commands/catalog/adjustments.ts';
import type { RequestedLine } from '../../../commands/documents/lines.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { documentationOf, documented, schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { readText, textOf } from '../../body/readers.ts';
import { object, type WithoutEffect } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';
import { type Column, type Filter, where } from '../../framework/resource.ts';

const MOST_OF_TERMS = 64;

/** Reads terms in the one spelling in which they are stored. */
function readTerms(value: unknown): string {
  return termsText(refusePlanTerms(parseTerms(readText(value, MOST_OF_TERMS))));
}

/** Terms of an invoice: it keeps those of its payment plan. */
function readInvoiceTerms(value: unknown): string {
  return termsText(parseTerms(readText(value, MOST_OF_TERMS)));
}

const documentedTerms = { type: 'string', maxLength: MOST_OF_TERMS, examples: ['NET 30', '2% 10 NET 30'] };

export const invoiceTerms = fields.field(readInvoiceTerms, documentedTerms);
export const terms = fields.field(readTerms, documentedTerms);

/** Filters a list by a column with `numberKey`, which ignores the case and spacing of numbers. */
export function ofNumber(column: string): Filter {
  return where(fields.text(), (number) => condition(`${column} = ?`, numberKey(number)));
}

/** Sorts and filters a list of documents by their numbers. */
export const byNumber: Column = {
  sort: 'number_key',
  filter: ofNumber('number_key'),
  values: { name: 'number_key', field: fields.text(), stored: (number) => numberKey(String(number)) },
};

const MOST_ATTACHMENTS = 20;

export const attachments = fields.described(
  fields.list(fields.required(fields.id), MOST_ATTACHMENTS),
  'Ids of the attached files, in order',
);

export const disabledPaymentMethods = fields.list(
  fields.required(fields.choice(...paymentMethods)),
  paymentMethods.length,
);

/** A list without duplicates. Null and undefined become an empty list. */
export function unique<Word>(words: readonly Word[] | null | undefined): Word[] {
  return [...new Set(words ?? [])];
}

const MOST_ADJUSTMENTS = 20;
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
  return fields.list(documented(read, { schema, presence: 'kept' }), MOST_ADJUSTMENTS);
}

/** Converts an id, or a coupon or rate as in a response, to the object form. */
function toObjectForm(value: unknown, source: string): unknown {
  if (textOf(value) !== null) return { [source]: value };
  if (typeof value !== 'object' || value === null || isSent(value) || !('id' in value)) return value;
  const text = textOf(value.id);
  return text === null || (isSent(value.id) && /^\d+$/.test(text)) ? value : { [source]: value.id };
}

/** Fields of a line. Absent fields come from its item, or from the line that it changes. */
export const lineFields = {
  catalog_item: fields.code,
  type: fields.text(),
  name: fields.name,
  description: fields.longText,
  quantity: fields.decimal,
  unit_cost: fields.decimal,
  discountable: fields.boolean,
  discounts,
  taxable: fields.boolean,
  taxes,
  period_start: fields.described(
    fields.timestamp,
    'Start of the service period as UNIX time in seconds; alone: the date of the service',
  ),
  period_end: fields.described(
    fields.timestamp,
    'End of the service period (exclusive) as UNIX time in seconds; not before its start',
  ),
  metadata: fields.metadata,
};

const without: WithoutEffect = { readOnly: ['object', 'amount', 'plan', 'prorated'] };
const line = object(
  { id: fields.described(fields.longId, 'Id of the current line to change; ignored on a new document'), ...lineFields },
  without,
);

const BOUND = `All lines together may have at most ${MOST_LINE_ADJUSTMENTS} discounts and taxes`;

/** Lines of a new document. */
export const newLines = fields.described(fields.list(line, MOST_LINES), `Lines of the document. ${BOUND}`);

/** Lines that replace those of a document. A line with the `id` of an existing one changes that one. */
export const changedLines = fields.described(
  fields.list(line, MOST_LINES),
  `All lines of the document; they replace the current ones. A line with the id of a current line changes that line, and fields that it omits stay. ${BOUND}`,
);

/** Converts the lines of a request to the input of commands. */
export function linesOf(items: z.output<typeof newLines>): RequestedLine[] {
  return (items ?? []).map((sent) => ({ id: sent.id ?? null, ...lineOf(sent) }));
}

type SentLine = Omit<NonNullable<z.output<typeof newLines>>[number], 'id'>;

/** Converts one line. Absent fields are undefined. */
export function lineOf(sent: SentLine): Omit<RequestedLine, 'id'> {
  const { type, name, description, quantity, discountable, discounts, taxable, taxes, metadata } = sent;
  return {
    type,
    name,
    description,
    discounts,
    taxes,
    itemCode: sent.catalog_item,
    quantity: quantity === null ? '1' : quantity,
    unitCost: sent.unit_cost,
    discountable: discountable === null ? true : discountable,
    taxable: taxable === null ? true : taxable,
    periodStartAt: sent.period_start,
    periodEndAt: sent.period_end,
    metadata: metadata === null ? {} : metadata,
  };
}

const address = object(
  {
    name: fields.name,
    attention_to: fields.text(),
    ...fields.address,
  },
  { readOnly: ['updated_at'] },
);

const readShipTo = address.transform(({ attention_to, postal_code, ...sent }) => ({
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
  fields.nested(documented(readShipTo, documentationOf(address))),
  'Shipping address; it replaces the current one completely, and fields that are absent become empty',
);
