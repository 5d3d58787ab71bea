import { sourceMethods } from '../../../billing/paymentMethods.ts';
import * as fields from '../../body/fields.ts';
import { LARGEST_ID, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';

const method = fields.described(fields.choice(...sourceMethods), '`credit_card`: a card; `ach`: a bank account');
const currency = fields.described(
  fields.currency,
  'Currency to pay in: three-letter ISO 4217 code; default: the currency of the account',
  'usd',
);
const MERCHANT_ACCOUNT =
  'Id of the merchant account whose fields the page mounts; default: the first one that takes the currency';
const merchantAccount = fields.described(fields.id, MERCHANT_ACCOUNT);

/** Query parameters of `GET /payment_fields`. */
export const wantedFields = {
  method: fields.described(method, '`credit_card`: a card, the default; `ach`: a bank account'),
  currency,
  merchant_account: fields.described(fields.wholeNumber(1, LARGEST_ID), MERCHANT_ACCOUNT, 4),
};

export const newServiceToken = object(
  {
    method: fields.required(method),
    gateway_token: fields.required(
      fields.described(
        fields.reference,
        "Token that the gateway's own fields made, such as the id of a ConfirmationToken of Stripe",
      ),
    ),
    currency: fields.described(
      fields.currency,
      'Only currency in which the token pays: three-letter ISO 4217 code; default: all that its merchant account takes',
      'usd',
    ),
    merchant_account: merchantAccount,
  },
  { readOnly: ['id', 'object'] },
);

/** Digits, which may be grouped by spaces or hyphens. The message of a refusal does not repeat them. */
const digits = (least: number, most: number) =>
  fields.field(
    (value) => {
      const text = typeof value === 'number' ? String(value) : value;
      const bare = typeof text === 'string' ? text.replaceAll(/[ -]/g, '') : '';
      const isFit = /^\d+$/.test(bare) && bare.length >= least && bare.length <= most;
      return isFit ? bare : unfit(`must have ${least === most ? least : `${least} to ${most}`} digits`);
    },
    { type: 'string', pattern: `^(\\d[ -]?){${least},${most}}$` },
  );

const MONTHS = 12;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;

export const newTestToken = object(
  {
    number: fields.described(digits(12, 19), 'Number of a test card', '4242424242424242'),
    exp_month: fields.described(fields.wholeNumber(1, MONTHS), 'Month in which the card expires; not checked'),
    exp_year: fields.described(fields.wholeNumber(FIRST_YEAR, LAST_YEAR), 'Year in which it expires; not checked'),
    cvc: fields.described(digits(3, 4), 'Security code of the card; not checked'),
    routing_number: fields.described(digits(9, 9), 'Routing number of a test bank account'),
    account_number: fields.described(digits(4, 17), 'Account number of a test bank account'),
  },
  { readOnly: ['object'] },
);
