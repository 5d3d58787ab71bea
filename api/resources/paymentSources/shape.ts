import * as fields from '../../framework/shape.ts';

const last4 = fields.text('Last four digits of the card number', '4242');

export const card = fields.shape('Card', 'Stored card', {
  id: fields.id('Id of the card', 7),
  brand: fields.nullable(fields.text('Brand of the card, such as Visa', 'Visa')),
  last4,
  exp_month: fields.nullable(fields.integer('Month of expiry, from 1 to 12', 12)),
  exp_year: fields.nullable(fields.integer('Year of expiry, with four digits', 2030)),
  funding: fields.choice('Kind of card', 'credit', 'debit', 'prepaid', 'unknown'),
  updated_at: fields.updatedAt,
});

export const bankAccount = fields.shape('BankAccount', 'Stored bank account', {
  id: fields.id('Id of the bank account', 8),
  bank_name: fields.nullable(fields.text('Name of the bank', 'First Bank')),
  last4: fields.text('Last four digits of the account number', '6789'),
  routing_number: fields.nullable(fields.text('Routing number of the bank', '110000000')),
  verified: fields.flag('True: the owner of the account was verified', true),
  currency: fields.nullable(fields.currency()),
  updated_at: fields.updatedAt,
});

export const paymentSource = fields.union('PaymentSource', 'Stored card or bank account', card, bankAccount);

/** Additional fields of a source that is embedded in a charge or an event. */
const embedded = {
  id: fields.nullable(fields.id('Id of the stored source; null: it was charged by a token and not stored', 7)),
  chargeable: fields.flag('True: it can be charged', true),
  created_at: fields.createdAt,
  failure_reason: fields.nullable(
    fields.text('Reason why it cannot be charged; null: it can', 'The account is closed'),
    null,
  ),
  gateway: fields.text('Payment gateway that stores it', 'test'),
  gateway_customer: fields.nullable(fields.text('Id of its customer at the gateway', 'cus_81f2'), null),
  gateway_id: fields.nullable(fields.text('Id of the source at the gateway', 'src_5d0c')),
  merchant_account: fields.nullable(fields.id('Id of the gateway configuration; not supported yet, always null'), null),
  receipt_email: fields.nullable(fields.text('Email address for receipts', 'ada@example.com'), null),
};

export const chargedSource = fields.union(
  'ChargedSource',
  'Card or bank account as it was when it was charged',
  fields.extended(card, 'ChargedCard', embedded),
  fields.extended(bankAccount, 'ChargedBankAccount', embedded),
);
