import type { z } from 'zod';
import { TEST_GATEWAY } from '../../billing/mail/providers.ts';
import { parseIban } from '../../billing/payments/bankDetails.ts';
import { BANK_DIGITS } from '../../billing/payments/bankForms.ts';
import { sourceMethods, sourceTypes } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { isTestToken } from '../../commands/charges/gateways.ts';
import { configurationOfFields, fieldsOf } from '../../commands/charges/instruments.ts';
import { describeToken } from '../../commands/charges/payable.ts';
import { createServiceToken } from '../../commands/charges/serviceTokens.ts';
import { presentPaymentFields, presentServiceToken } from '../../present/payments/paymentSource.ts';
import { schemaOf } from '../body/documented.ts';
import * as fields from '../body/fields.ts';
import { LARGEST_ID, unfit } from '../body/readers.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { NoRoute } from '../framework/errors.ts';
import { refuseRepeated } from '../framework/parameterNames.ts';
import { readParameter } from '../framework/resource.ts';
import { type Reply, type Route, reply, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { withoutPlace } from '../limits/admission.ts';
import { writeOutside } from '../writing/writeOutside.ts';

const shownMethod = shown.oneOf('`credit_card`: a card; `ach`: a bank account', 'credit_card', sourceMethods);
const shownMerchantAccount = shown.nullable(
  shown.id('Id of the merchant account that takes it; null: the test gateway of the sandbox', 4),
);

const serviceToken = shown.shape(
  'ServiceToken',
  'Token of a page for a card or bank account that its reader entered; it pays or is stored once, within two hours',
  {
    id: shown.code(
      'The token, as `service_token` of other requests takes it; only this response shows it',
      'svt_0Zt5x8',
    ),
    method: shownMethod,
    gateway: shown.text('Payment gateway', 'stripe'),
    merchant_account: shownMerchantAccount,
    type: shown.nullable(shown.choice('Kind of source; null: the gateway does not tell', ...sourceTypes)),
    brand: shown.nullable(shown.text('Brand of the card; null: the gateway does not tell', 'Visa')),
    funding: shown.nullable(
      shown.choice('Funding of the card; null: the gateway does not tell', 'credit', 'debit', 'prepaid', 'unknown'),
    ),
    last4: shown.nullable(shown.text('Last four digits; null: the gateway does not tell', '4242')),
    expires_at: shown.timestamp('When it expires'),
    created_at: shown.createdAt,
  },
);

const paymentFields = shown.value(
  'PaymentFields',
  'Fields of a gateway that a page mounts, so that card and account numbers go to the gateway only',
  {
    method: shownMethod,
    currency: shown.currency('Currency to pay in: three-letter ISO 4217 code'),
    gateway: shown.choice('Gateway of the fields; `test`: the test gateway of the sandbox', 'stripe', 'test'),
    merchant_account: shownMerchantAccount,
    publishable_key: shown.nullable(
      shown.text('Publishable key of the merchant account at its gateway; null: the fields need none', 'pk_live_51H8x'),
    ),
  },
);

const testGatewayToken = shown.value('TestGatewayToken', 'Token of the test gateway of the sandbox', {
  gateway_token: shown.text('The token, as `gateway_token` of other requests takes it', 'tok_4242424242424242'),
});

const method = fields.choice(...sourceMethods);
const currency = fields.described(
  fields.currency,
  'Currency to pay in: three-letter ISO 4217 code; default: the currency of the account',
  'usd',
);
const MERCHANT_ACCOUNT =
  'Id of the merchant account whose fields the page mounts; default: the first one that takes the currency';
const merchantAccount = fields.described(fields.id, MERCHANT_ACCOUNT);

/** Query parameters of `GET /payment_fields`. */
const wantedFields = {
  method: fields.described(method, '`credit_card`: a card, the default; `ach`: a bank account'),
  currency,
  merchant_account: fields.described(fields.wholeNumber(1, LARGEST_ID), MERCHANT_ACCOUNT, 4),
};

const newServiceToken = object(
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

/** The message of a refusal does not repeat it. */
const iban = fields.field(
  (value) =>
    (typeof value === 'string' ? parseIban(value) : null) ?? unfit('must be an IBAN with correct check digits'),
  { type: 'string', maxLength: 64 },
);

const MONTHS = 12;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;

const newTestToken = object(
  {
    number: fields.described(digits(12, 19), 'Number of a test card', '4242424242424242'),
    exp_month: fields.described(fields.wholeNumber(1, MONTHS), 'Month in which the card expires; not checked'),
    exp_year: fields.described(fields.wholeNumber(FIRST_YEAR, LAST_YEAR), 'Year in which it expires; not checked'),
    cvc: fields.described(digits(3, 4), 'Security code of the card; not checked'),
    routing_number: fields.described(
      digits(BANK_DIGITS.bank.least, BANK_DIGITS.bank.most),
      'Number of the bank of a test bank account: routing number, sort code, BSB, transit and institution number',
    ),
    account_number: fields.described(
      digits(BANK_DIGITS.account.least, BANK_DIGITS.account.most),
      'Account number of a test bank account',
    ),
    iban: fields.described(iban, 'IBAN of a test bank account', 'DE66110000000123456789'),
  },
  { readOnly: ['object'] },
);

async function readFields({ em, caller, query }: ApiRequest): Promise<Reply> {
  refuseRepeated(query);
  const { account } = caller;
  const sent = (name: keyof typeof wantedFields) => query.get(name) || null;
  const method = readParameter(wantedFields.method, sent('method') ?? 'credit_card', 'method');
  const [code, merchant] = [sent('currency'), sent('merchant_account')];
  const currency = code === null ? account.currency : readParameter(wantedFields.currency, code, 'currency');
  const merchantAccountId =
    merchant === null ? null : readParameter(wantedFields.merchant_account, merchant, 'merchant_account');
  const wanted = { account, merchantAccountId, method, currency, isTestToken: false };
  const configuration = await configurationOfFields(em, wanted);
  const mounted = await fieldsOf(em, { accountId: account.id, configuration });
  return reply(200, presentPaymentFields({ ...mounted, method, currency }));
}

function createToken(request: ApiRequest, body: z.output<typeof newServiceToken>): Promise<Reply> {
  const { deps, caller, em: reading } = request;
  const { account } = caller;
  const { method, gateway_token: token, currency: code, merchant_account: merchant } = body;
  const merchantAccountId = merchant ?? null;
  const wanted = { account, merchantAccountId, method, currency: code ?? account.currency };
  return writeOutside(request, {
    statusCode: 201,
    sealed: true,
    check: async () => undefined,
    act: async () => {
      const configuration = await configurationOfFields(reading, { ...wanted, isTestToken: isTestToken(token) });
      const asked = { accountId: account.id, gateway: configuration, token };
      return { configuration, described: await withoutPlace(() => describeToken(deps, asked)) };
    },
    record: (em, { outcome }, now) =>
      createServiceToken(em, { account, cipher: deps.cipher, method, token, currency: code ?? null, ...outcome }, now),
    present: presentServiceToken,
  });
}

/** The token of the test gateway for numbers of its documentation. No message repeats them. */
async function createTestToken(request: ApiRequest, body: z.output<typeof newTestToken>): Promise<Reply> {
  const { deps, caller } = request;
  const { number, iban, routing_number: routing, account_number: account } = body;
  const given = [number, iban, routing ?? account].filter(Boolean).length;
  if (given !== 1)
    throw new Refusal(
      given > 1 ? 'parameter_invalid' : 'parameter_missing',
      'Exactly one of number, iban, and routing_number with account_number is needed',
      'number',
    );
  const isBank = !number && !iban;
  if (isBank && !routing) throw new Refusal('parameter_missing', 'Routing number missing', 'routing_number');
  if (isBank && !account) throw new Refusal('parameter_missing', 'Account number missing', 'account_number');
  const token = `tok_${number ?? iban ?? `${routing}_${account}`}`;
  const described = await describeToken(deps, { accountId: caller.account.id, gateway: TEST_GATEWAY, token });
  if (!described)
    throw new Refusal(
      'parameter_invalid',
      `The test gateway has no such ${number ? 'card' : 'bank account'}: take one of its documentation`,
      number ? 'number' : iban ? 'iban' : 'account_number',
    );
  return reply(201, { gateway_token: token });
}

/** Makes a route exist only in the sandbox. */
function inSandbox(route: Route): Route {
  return {
    ...route,
    handle: async (request) => {
      if (request.caller.account.environment === 'sandbox') return route.handle(request);
      throw new NoRoute(`There is nothing at ${request.method} ${request.path}`);
    },
  };
}

/** Routes for publishable keys, which web pages of any origin may call. */
export const serviceTokenRoutes: Route[] = [
  {
    method: 'GET',
    path: '/payment_fields',
    operationId: 'readPaymentFields',
    permission: 'payments.read',
    summary: 'Read whose fields a page mounts to take a card or bank account; works with a publishable key',
    publishable: true,
    parameters: {
      method: { schema: schemaOf(wantedFields.method) },
      currency: { schema: schemaOf(wantedFields.currency) },
      merchant_account: { schema: schemaOf(wantedFields.merchant_account) },
    },
    answer: { statusCode: 200, kind: { shape: paymentFields } },
    handle: readFields,
  },
  {
    ...withBody({
      method: 'POST',
      path: '/service_tokens',
      operationId: 'createServiceToken',
      permission: 'payments.write',
      summary: "Make a service token of a gateway's token; works with a publishable key",
      body: newServiceToken,
      example: { method: 'credit_card', gateway_token: 'tok_4242424242424242', currency: 'usd' },
      answer: { statusCode: 201, kind: { shape: serviceToken } },
      handle: createToken,
    }),
    publishable: true,
  },
  inSandbox({
    ...withBody({
      method: 'POST',
      path: '/test_gateway/tokens',
      operationId: 'createTestGatewayToken',
      permission: 'payments.write',
      summary: 'Make a token of a number of the test gateway, in the sandbox; works with a publishable key',
      body: newTestToken,
      example: { number: '4242 4242 4242 4242', exp_month: 12, exp_year: 2034, cvc: '123' },
      answer: { statusCode: 201, kind: { shape: testGatewayToken } },
      handle: createTestToken,
    }),
    publishable: true,
    storesNothing: true,
  }),
];
