import { creditNoteStatuses } from '../../../billing/documents/creditNote.ts';
import { mapBreathing } from '../../../db/fairness/breather.ts';
import { searchWithCustomer } from '../../../db/queries/kernel/search.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import { CreditNote } from '../../../db/schema/creditNote.ts';
import { DOCUMENT_COLUMNS, DOCUMENT_KEYS, DOCUMENT_WORDS } from '../../../db/schema/indexes.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { presentCreditNote } from '../../../present/documents/creditNote.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import {
  amounts,
  between,
  byCustomerName,
  column,
  filtered,
  filteredIfSet,
  type Resource,
  sorted,
  updatedBetween,
} from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { attachments, byNumber, changedLines, discounts, newLines, taxes } from '../documents/fields.ts';
import { lineItem, lines, shownDiscounts, shownTaxes } from '../documents/shape.ts';
import { invoices } from '../invoices/resource.ts';

export const creditNote = shown.shape('CreditNote', 'Credit note: reverses revenue and tax in favour of a customer', {
  id: shown.id('Id of the credit note', 9),
  customer: shown.id('Id of the credited customer'),
  invoice: shown.unset(shown.id('Id of the invoice that it corrects; null: none')),
  name: shown.text('Internal name; not printed', 'Credit Note'),
  number: shown.nullable(shown.text('Number of the document; null for a draft without one', 'CN-00001')),
  purchase_order: shown.unset(shown.text('Purchase order number of the customer', 'PO-1138')),
  currency: shown.currency(),
  draft: shown.flag('True until it is issued', false),
  closed: shown.flag('True: no more of it can be applied, because it was used up, voided or forfeited', false),
  paid: shown.flag('True: all of it is applied', false),
  status: shown.oneOf('Status of the credit note', 'open', creditNoteStatuses),
  date: shown.timestamp('Date of the document'),
  items: shown.listOf(lineItem, 'Lines of the document'),
  notes: shown.unset(shown.text('Notes, printed at the end of the document', 'Returned goods')),
  force: shown.flag('True: it may exceed what is left of its invoice', false),
  reason: shown.unset(shown.text('Reason for `force`', 'Goodwill after an outage')),
  subtotal: shown.money('Sum of the lines before discounts, without taxes contained in prices', 240),
  discounts: shownDiscounts,
  taxes: shownTaxes,
  total: shown.money('Subtotal less discounts plus taxes', 240),
  balance: shown.money('Amount that is not applied yet', 240),
  url: shown.nullable(
    shown.documentUrl('URL of its page for the customer; needs no key; null for a draft', 'credit_note/9'),
  ),
  pdf_url: shown.nullable(shown.documentPdf('credit_note/9', '; null for a draft')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

const readOnly = [
  'id',
  'object',
  'paid',
  'status',
  'subtotal',
  'total',
  'balance',
  'url',
  'pdf_url',
  'created_at',
  'updated_at',
];

const invoice = fields.described(
  fields.id,
  'Id of the invoice that it corrects. It is applied to that invoice first; the rest goes to the credit balance',
);

const reason = fields.described(
  fields.reference,
  'Reason for `force`, required with it. The credit adjustment of the excess has it as notes',
);

export const newCreditNote = object(
  {
    customer: fields.required(fields.id),
    invoice,
    name: fields.name,
    number: fields.number,
    purchase_order: fields.reference,
    currency: fields.currency,
    date: fields.timestamp,
    draft: fields.described(fields.withDefault(fields.boolean, false), 'True: create a draft instead of issuing it'),
    sent: fields.described(fields.withDefault(fields.boolean, false), 'True: mark it as sent to the customer'),
    closed: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: forfeit the amount that is not applied at once',
    ),
    items: newLines,
    notes: fields.longText,
    force: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: it may exceed what is left of its invoice; the excess is added to the credit balance, without tax',
    ),
    reason,
    discounts,
    taxes,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, true),
      'False: apply no tax rates, not even those of items, customer or place',
    ),
    attachments,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

export const creditNoteChange = object(
  {
    customer: fields.described(
      fields.kept(fields.id),
      'Id of the new customer of a draft; an issued credit note keeps its customer',
    ),
    invoice: fields.described(
      fields.id,
      'Id of the invoice that a draft will correct; an issued credit note keeps its invoice',
    ),
    name: fields.resettable(fields.name, 'Credit Note'),
    number: fields.number,
    purchase_order: fields.reference,
    currency: fields.kept(fields.currency),
    date: fields.kept(fields.timestamp),
    draft: fields.described(fields.kept(fields.boolean), 'False: issue the draft'),
    sent: fields.described(
      fields.kept(fields.boolean),
      'True: mark it as sent to the customer; false: as not sent. Not in responses',
    ),
    closed: fields.described(fields.kept(fields.boolean), 'True: forfeit its balance; false: undo that'),
    items: changedLines,
    notes: fields.longText,
    force: fields.described(
      fields.kept(fields.boolean),
      'True: a draft may exceed what is left of its invoice when it is issued; false: it may not',
    ),
    reason,
    discounts,
    taxes,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: look up the tax rates of customer or place again; false: keep the current rates',
    ),
    attachments,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly },
);

export const creditNotes: Resource<CreditNote, 'id'> = {
  name: 'Credit note',
  area: 'corrections',
  shape: creditNote,
  row: CreditNote,
  idColumn: 'id',
  metadata: true,
  searchable: searchWithCustomer(
    'credit_note',
    { words: DOCUMENT_WORDS, keys: DOCUMENT_KEYS, columns: DOCUMENT_COLUMNS },
    '`name`, `number` and `purchase_order`, and in the name and email of the customer',
  ),
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    'customer.name': byCustomerName(),
    invoice: filteredIfSet('invoice_id', fields.id),
    number: byNumber,
    status: filtered('status', fields.choice(...creditNoteStatuses)),
    currency: filtered('currency', fields.currency),
    paid: filtered('paid', fields.boolean),
    closed: filtered('closed', fields.boolean),
    total: amounts('total'),
    balance: amounts('balance'),
    date: sorted('date'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: {
    ...between('date', fields.timestamp, ['start_date', 'end_date']),
    ...updatedBetween,
  },
  present: async (reading, rows) => {
    const ids = rows.map(({ id }) => id);
    const orderBy = 'position';
    const lines = await reading.children(LineItem, { column: 'credit_note_id', ids, orderBy });
    return mapBreathing(rows, (row) => presentCreditNote(row, lines.get(row.id) ?? []));
  },
  parts: { items: lines },
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    invoice: relation(
      () => invoices,
      (row) => row.invoice?.id ?? null,
    ),
  },
};
