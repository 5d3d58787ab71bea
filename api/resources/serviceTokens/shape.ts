import { sourceMethods, sourceTypes } from '../../../billing/paymentMethods.ts';
import * as fields from '../../framework/shape.ts';

const method = fields.oneOf('`credit_card`: a card; `ach`: a bank account', 'credit_card', sourceMethods);
const merchantAccount = fields.nullable(
  fields.id('Id of the merchant account that takes it; null: the test gateway of the sandbox', 4),
);

export const serviceToken = fields.shape(
  'ServiceToken',
  'Token of a page for a card or bank account that its reader entered; it pays or is stored once, within two hours',
  {
    id: fields.code(
      'The token, as `service_token` of other requests takes it; only this response shows it',
      'svt_0Zt5x8',
    ),
    method,
    gateway: fields.text('Payment gateway', 'stripe'),
    merchant_account: merchantAccount,
    type: fields.nullable(fields.choice('Kind of source; null: the gateway does not tell', ...sourceTypes)),
    brand: fields.nullable(fields.text('Brand of the card; null: the gateway does not tell', 'Visa')),
    funding: fields.nullable(
      fields.choice('Funding of the card; null: the gateway does not tell', 'credit', 'debit', 'prepaid', 'unknown'),
    ),
    last4: fields.nullable(fields.text('Last four digits; null: the gateway does not tell', '4242')),
    expires_at: fields.timestamp('When it expires'),
    created_at: fields.createdAt,
  },
);

export const paymentFields = fields.value(
  'PaymentFields',
  'Fields of a gateway that a page mounts, so that card and account numbers go to the gateway only',
  {
    method,
    currency: fields.currency('Currency to pay in: three-letter ISO 4217 code'),
    gateway: fields.choice('Gateway of the fields; `test`: the test gateway of the sandbox', 'stripe', 'test'),
    merchant_account: merchantAccount,
    publishable_key: fields.nullable(
      fields.text(
        'Publishable key of the merchant account at its gateway; null: the fields need none',
        'pk_live_51H8x',
      ),
    ),
  },
);

export const testGatewayToken = fields.value('TestGatewayToken', 'Token of the test gateway of the sandbox', {
  gateway_token: fields.text('The token, as `gateway_token` of other requests takes it', 'tok_4242424242424242'),
});
