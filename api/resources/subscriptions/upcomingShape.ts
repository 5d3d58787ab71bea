import * as fields from '../../framework/shape.ts';
import { creditNote } from '../creditNotes/shape.ts';
import { discount, lineItem, tax } from '../documents/shape.ts';
import { invoice } from '../invoices/shape.ts';
import { subscription } from './shape.ts';

const noId = { id: fields.unset(fields.id('Id of the object; always null, because it does not exist')) };

const noNumber = {
  number: fields.unset(fields.text('Number of the document; always null, because it is not issued', 'INV-00001')),
};

const noAddress = {
  url: fields.unset(fields.documentUrl('URL of its page for the customer; always null', 'invoice/77')),
  pdf_url: fields.unset(fields.documentPdf('invoice/77', '; always null')),
};

const adjustments = {
  discounts: fields.listOf(
    fields.extended(discount, 'UpcomingDiscount', noId),
    'Discounts, in the order in which they are applied',
  ),
  taxes: fields.listOf(fields.extended(tax, 'UpcomingTax', noId), 'Taxes, by tax rate or as amounts'),
};

const items = fields.listOf(
  fields.extended(lineItem, 'UpcomingLineItem', { ...noId, ...adjustments }),
  'Lines of the document',
);

const content = { items, ...adjustments };

const upcomingInvoice = {
  ...fields.extended(invoice, 'UpcomingInvoice', {
    ...noId,
    ...noNumber,
    ...noAddress,
    payment_url: fields.unset(fields.documentUrl('URL of the page on which it is paid; always null', 'invoice/77')),
    ...content,
    customer: fields.nullable(fields.id('Id of the customer; null: a preview without a customer')),
    subscription: fields.unset(fields.id('Id of the subscription that it bills; null: it does not exist yet')),
    draft: fields.flag('True: it would wait as a draft, because of the credit hold or limit of the customer', false),
    date: fields.nullable(fields.timestamp('Date of the document; null in a preview')),
    balance: fields.money('Open amount after credit notes and credit balance have paid their part', 240),
    created_at: fields.nullable(fields.timestamp('Time of the issue; null in a preview')),
    updated_at: fields.nullable(fields.timestamp('Time of the issue; null in a preview')),
  }),
  description: 'Invoice as it would be issued',
};

const upcomingCreditNote = {
  ...fields.extended(creditNote, 'UpcomingCreditNote', {
    ...noId,
    ...noNumber,
    ...noAddress,
    ...content,
    invoice: fields.unset(fields.id('Id of the existing invoice that it corrects; null: none')),
  }),
  description: 'Credit note as it would be issued',
};

const upcomingSubscription = fields.extended(subscription, 'UpcomingSubscription', {
  id: fields.nullable(fields.id('Id of the subscription; null: it does not exist yet', 12)),
});

export const subscriptionDryRun = fields.value(
  'SubscriptionDryRun',
  'Subscription after a change, and the documents that would follow; nothing is stored',
  {
    subscription: fields.one(upcomingSubscription, 'Subscription as the request would answer it'),
    invoices: fields.listOf(
      upcomingInvoice,
      'Next invoices, each with its date; fewer than asked for if the subscription ends or waits for a request, and after 10,000 lines',
    ),
    credit_notes: fields.listOf(
      upcomingCreditNote,
      'Credit notes for amounts in favour of the customer, by the change and by these invoices',
    ),
  },
);

export const previewOfSubscription = fields.value(
  'SubscriptionPreview',
  'Price of a subscription that would start now; nothing is stored',
  {
    first_invoice: fields.one(upcomingInvoice, 'First invoice, without dates'),
    mrr: fields.money('Monthly recurring revenue: the total of a regular bill per month, without taxes', 49),
    recurring_total: fields.money('Total of a regular bill, with taxes', 49),
  },
);
