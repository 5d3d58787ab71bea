import * as fields from '../../framework/shape.ts';

export const merchantAccount = fields.shape(
  'MerchantAccount',
  'Account of yours at a payment gateway, which stores and charges the cards and bank accounts of your customers',
  {
    id: fields.id('Id of the merchant account', 4),
    gateway: fields.choice('Payment gateway', 'stripe'),
    name: fields.text('Name of the merchant account, for your own use', 'Stripe, Germany'),
    gateway_account: fields.text('Id of the account at the gateway', 'acct_1032D82eZvKYlo2C'),
    publishable_key: fields.unset(
      fields.text('Publishable key, with which pages of yours mount the fields of the gateway', 'pk_live_51H8x'),
    ),
    currencies: fields.textList(
      'Currencies that it takes, as three-letter ISO 4217 codes in lower case; empty: all',
      'eur',
    ),
    receives_events: fields.flag('True: it has the secret that signs the events of the gateway', true),
    events_url: fields.text(
      'URL to enter at the gateway as the endpoint of its events',
      'https://billing.example.com/gateway_events/stripe_1_4',
    ),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
