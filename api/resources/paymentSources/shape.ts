import * as fields from '../../framework/shape.ts';

const last4 = fields.text('Last four digits of its number', '4242');

export const card = fields.shape('Card', 'A stored card', {
  id: fields.id('Its id', 7),
  brand: fields.nullable(fields.text('Brand of the card', 'Visa')),
  last4,
  exp_month: fields.nullable(fields.integer('Month in which it expires', 12)),
  exp_year: fields.nullable(fields.integer('Year in which it expires', 2030)),
  funding: fields.choice('How it is funded', 'credit', 'debit', 'prepaid', 'unknown'),
  updated_at: fields.updatedAt,
});

export const bankAccount = fields.shape('BankAccount', 'A stored bank account', {
  id: fields.id('Its id', 8),
  bank_name: fields.nullable(fields.text('Name of the bank', 'First Bank')),
  last4: fields.text('Last four digits of its number', '6789'),
  routing_number: fields.nullable(fields.text('Routing number of the bank', '110000000')),
  verified: fields.flag('Whether its owner has been verified', true),
  currency: fields.nullable(fields.currency()),
  updated_at: fields.updatedAt,
});

export const paymentSource = fields.union('PaymentSource', 'A card or a bank account', card, bankAccount);

/** Additional fields of a source that is embedded in a charge or an event. */
const embedded = {
  id: fields.nullable(fields.id('Its id; null: it was charged by a token and not stored', 7)),
  chargeable: fields.flag('Whether it can be charged', true),
  created_at: fields.createdAt,
  failure_reason: fields.nullable(fields.text('Why it cannot be charged', 'The account is closed'), null),
  gateway: fields.text('Gateway that keeps it', 'test'),
  gateway_customer: fields.nullable(fields.text('Its customer at the gateway', 'cus_81f2'), null),
  gateway_id: fields.nullable(fields.text('Its id at the gateway', 'src_5d0c')),
  merchant_account: fields.nullable(fields.id('Configuration of the gateway'), null),
  receipt_email: fields.nullable(fields.text('Where receipts go', 'ada@example.com'), null),
};

export const chargedSource = fields.union(
  'ChargedSource',
  'The card or bank account as it was when it was charged',
  fields.extended(card, 'ChargedCard', embedded),
  fields.extended(bankAccount, 'ChargedBankAccount', embedded),
);
