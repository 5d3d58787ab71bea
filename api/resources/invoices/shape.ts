import * as fields from '../../shape.ts';

export const lineItem = fields.sometimes(
  fields.shape('LineItem', 'A line of a document', {
    id: fields.id('Its id', 21),
    catalog_item: fields.unset(fields.code('The item that it was filled from', 'support-hour')),
    type: fields.unset(fields.text('Groups lines in reports; `plan` on lines of plans', 'service')),
    name: fields.nullable(fields.text('Title', 'Support hour')),
    description: fields.unset(fields.text('Second line', 'Remote support by an engineer')),
    quantity: fields.number('How many', 2),
    unit_cost: fields.number('Price of one', 120),
    amount: fields.number('Quantity by unit cost, rounded once', 240),
    discountable: fields.flag('False keeps it out of discounts', true),
    discounts: fields.emptyList('Discounts of the line'),
    taxable: fields.flag('False keeps it out of taxes', true),
    taxes: fields.emptyList('Taxes of the line'),
    plan: fields.unset(fields.code('The plan that it bills', 'gold')),
    metadata: fields.metadata,
  }),
  {
    period_start: fields.timestamp('Start of the period that it bills'),
    period_end: fields.nullable(fields.timestamp('End of the period that it bills', 1_798_761_600)),
  },
);

const statuses = ['not_sent', 'draft', 'sent', 'viewed', 'past_due', 'pending', 'paid', 'voided'];

const state = {
  draft: fields.flag('Whether it is not issued yet', false),
  closed: fields.flag('Whether nothing more is collected: paid, or given up', false),
  paid: fields.flag('Whether it is paid in full', false),
  status: fields.choice('Where it is', ...statuses),
  attempt_count: fields.integer('Automatic charges that have had an outcome', 0),
  next_payment_attempt: fields.unset(fields.timestamp('When it is charged next')),
};

export const invoice = fields.shape('Invoice', 'What a customer owes', {
  id: fields.id('Its id', 77),
  customer: fields.id('Who owes it'),
  name: fields.text('Name for the seller', 'Invoice'),
  number: fields.nullable(fields.text('The next of the series unless it is given', 'INV-00001')),
  autopay: fields.flag('Whether it is charged automatically', false),
  currency: fields.currency(),
  ...state,
  subscription: fields.unset(fields.id('The subscription that issued it')),
  date: fields.timestamp('Its date'),
  due_date: fields.nullable(fields.timestamp('When it is due', 1_798_675_200)),
  payment_terms: fields.nullable(fields.text('Its terms', 'NET 30')),
  purchase_order: fields.unset(fields.text('Purchase order of the customer', 'PO-1138')),
  items: fields.listOf(lineItem, 'Its lines'),
  notes: fields.unset(fields.text('Printed at its end', 'Thank you')),
  subtotal: fields.number('Sum of its lines', 240),
  total: fields.number('Subtotal less discounts and with taxes', 240),
  balance: fields.number('What is still owed', 240),
  discounts: fields.emptyList('Discounts of the whole'),
  taxes: fields.emptyList('Taxes of the whole'),
  ship_to: fields.unset(fields.record('Shipping address')),
  payment_plan: fields.unset(fields.id('Its payment plan')),
  url: fields.documentUrl('Where the customer sees it', 'invoice/77'),
  payment_url: fields.unset(fields.text('Where the customer pays it', 'https://billing.example/pay')),
  pdf_url: fields.documentPdf('invoice/77'),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
