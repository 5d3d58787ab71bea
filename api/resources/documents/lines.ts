import type { z } from 'zod';
import { MOST_LINE_ADJUSTMENTS, MOST_LINES } from '../../../billing/limits.ts';
import type { RequestedLine } from '../../../commands/documents/lines.ts';
import * as fields from '../../body/fields.ts';
import { object, type WithoutEffect } from '../../body/request.ts';
import { discounts, taxes } from './adjustments.ts';

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
