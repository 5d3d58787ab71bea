import type { z } from 'zod';
import { type PaymentSourceType, sourceMethods } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { runAttempt } from '../../commands/charges/attempts.ts';
import { isTestToken } from '../../commands/charges/gateways.ts';
import { deleteSource, startVault, startVerification, updateSource } from '../../commands/charges/paymentSources.ts';
import type { ProcessKey } from '../../commands/kernel/stepOutcome.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { Customer, PaymentSource } from '../../db/schema/customer.ts';
import { presentPaymentSource } from '../../present/payments/paymentSource.ts';
import * as fields from '../body/fields.ts';
import { object, refuseChangedFixed } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import type { ApiDeps } from '../framework/deps.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { found, pathId, type Route, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { list } from '../reading/list.ts';
import { listRoute } from '../reading/readRoutes.ts';
import { write } from '../writing/write.ts';
import { attemptRoute } from '../writing/writeRoutes.ts';

const last4 = shown.text('Last four digits of the card number', '4242');

const card = shown.shape('Card', 'Stored card', {
  id: shown.id('Id of the card', 7),
  brand: shown.nullable(shown.text('Brand of the card, such as Visa', 'Visa')),
  last4,
  exp_month: shown.nullable(shown.integer('Month of expiry, from 1 to 12', 12)),
  exp_year: shown.nullable(shown.integer('Year of expiry, with four digits', 2030)),
  funding: shown.choice('Kind of card', 'credit', 'debit', 'prepaid', 'unknown'),
  updated_at: shown.updatedAt,
});

const bankAccount = shown.shape('BankAccount', 'Stored bank account', {
  id: shown.id('Id of the bank account', 8),
  bank_name: shown.nullable(shown.text('Name of the bank', 'First Bank')),
  last4: shown.text('Last four digits of the account number', '6789'),
  routing_number: shown.nullable(shown.text('Routing number of the bank', '110000000')),
  verified: shown.flag('True: the owner of the account was verified', true),
  currency: shown.nullable(shown.currency()),
  updated_at: shown.updatedAt,
});

export const paymentSource = shown.union('PaymentSource', 'Stored card or bank account', card, bankAccount);

/** Additional fields of a source that is embedded in a charge or an event. */
const embedded = {
  id: shown.nullable(shown.id('Id of the stored source; null: it was charged by a token and not stored', 7)),
  chargeable: shown.flag('True: it can be charged', true),
  created_at: shown.createdAt,
  failure_reason: shown.nullable(
    shown.text('Reason why it cannot be charged; null: it can', 'The account is closed'),
    null,
  ),
  gateway: shown.text('Payment gateway that stores it', 'test'),
  gateway_customer: shown.nullable(shown.text('Id of its customer at the gateway', 'cus_81f2'), null),
  gateway_id: shown.nullable(shown.text('Id of the source at the gateway', 'src_5d0c')),
  merchant_account: shown.nullable(shown.id('Id of the gateway configuration; not supported yet, always null'), null),
  receipt_email: shown.nullable(shown.text('Email address for receipts', 'ada@example.com'), null),
};

export const chargedSource = shown.union(
  'ChargedSource',
  'Card or bank account as it was when it was charged',
  shown.extended(card, 'ChargedCard', embedded),
  shown.extended(bankAccount, 'ChargedBankAccount', embedded),
);

const IS_DEFAULT = 'True: AutoPay charges it from now on';

const newPaymentSource = object(
  {
    method: fields.required(
      fields.described(fields.choice(...sourceMethods), '`credit_card`: a card; `ach`: a bank account'),
    ),
    currency: fields.described(
      fields.currency,
      'Currency in which it will be charged, which chooses the gateway: three-letter ISO 4217 code; default: the currency of the customer',
      'usd',
    ),
    make_default: fields.described(fields.withDefault(fields.boolean, false), IS_DEFAULT),
    gateway_token: fields.described(
      fields.reference,
      'Token of the gateway for the card or account, such as `tok_4242424242424242`',
    ),
    service_token: fields.described(
      fields.reference,
      'Token of a page for the card or account, made by `POST /service_tokens`; it can be used once',
    ),
  },
  { readOnly: ['id', 'object'] },
);

/** `make_default` is the only field of a stored source that can be changed. The gateway owns the others. */
const sourceChange = object(
  { make_default: fields.kept(fields.described(fields.boolean, IS_DEFAULT)) },
  {
    readOnly: ['id', 'object', 'updated_at'],
    fixed: [
      'brand',
      'last4',
      'exp_month',
      'exp_year',
      'funding',
      'bank_name',
      'routing_number',
      'verified',
      'currency',
    ],
  },
);

const verification = object({
  amounts: fields.required(
    fields.described(
      fields.list(fields.required(fields.positiveAmount), 2),
      'Amounts of the two small deposits on the statement of the bank account, in any order; in major currency units',
    ),
  ),
});

/** The sources of the customer in the path. */
const paymentSources: Resource<PaymentSource, 'id'> = {
  name: 'Payment source',
  area: 'payments',
  shape: paymentSource,
  row: PaymentSource,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  listed: (request) => condition('customer_id = ?', pathId(request, 'Customer')),
  columns: { id: column('id', fields.id), created_at: sorted('created_at') },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentPaymentSource),
};

/** Reads exactly one of the two tokens. */
function instrumentOf({ deps }: ApiRequest, body: z.output<typeof newPaymentSource>) {
  const { gateway_token: token, service_token: serviceToken } = body;
  if (token && !serviceToken) return { sealedToken: deps.cipher.encrypt(token), isTestToken: isTestToken(token) };
  if (serviceToken && !token) return { serviceToken };
  const code = token ? 'parameter_invalid' : 'parameter_missing';
  throw new Refusal(code, 'Exactly one of gateway_token and service_token is needed', 'gateway_token');
}

async function findCustomer(request: ApiRequest): Promise<number> {
  const id = pathId(request, 'Customer');
  const key = { accountId: request.caller.account.id, id };
  found(await request.em.findOne(Customer, key, { fields: ['id'] }), 'Customer', id);
  return id;
}

/** Makes a source unusable at once, and then asks the gateway to delete it. */
async function remove(request: ApiRequest, type: PaymentSourceType) {
  const { deps, caller } = request;
  const key = { customerId: pathId(request, 'Customer'), id: pathId(request, 'Payment source', 'source'), type };
  let started: number | null = null;
  const answer = await write(request, {
    statusCode: 204,
    command: async (em, who, now) => {
      const { id } = await deleteSource(em, { ...key, caller: who, lookUpDelay: deps.lookUpDelay }, now);
      started = id;
    },
    present: () => null,
  });
  if (started !== null) await forget(deps, { accountId: caller.account.id, id: started });
  return answer;
}

/** Asks the gateway to delete a source. If that fails, the attempt's process tries again. */
async function forget(deps: ApiDeps, key: ProcessKey): Promise<void> {
  await runAttempt(deps, key).catch((error: unknown) => {
    deps.log.warn(
      { err: error, attempt: key.id },
      'the gateway did not delete a payment source; its process will try again',
    );
  });
}

/** SQL: payment sources, and whether each is the default one of its customer. */
const WITH_DEFAULT = `(select s.*, c.default_source_id is not distinct from s.id as is_default
  from payment_source s join customer c on c.account_id = s.account_id and c.id = s.customer_id)`;

function routesOf(
  type: PaymentSourceType,
  path: string,
  { shape, name }: { shape: shown.Shape; name: string },
): Route[] {
  const one = { path: `/customers/:id/${path}/:source` };
  return [
    {
      ...one,
      method: 'DELETE',
      operationId: `delete${shape.name}`,
      permission: 'payments.write',
      summary: `Delete a ${name}, also at the gateway`,
      answer: { statusCode: 204 },
      handle: (request) => remove(request, type),
    },
    withBody({
      ...one,
      method: 'PATCH',
      operationId: `update${shape.name}`,
      permission: 'payments.write',
      body: sourceChange,
      summary: `Make a ${name} the default payment source, which AutoPay charges`,
      example: { make_default: true },
      answer: { statusCode: 200, kind: { shape } },
      stored: (request) => {
        const [customerId, id] = [pathId(request, 'Customer'), pathId(request, 'Payment source', 'source')];
        const where = condition('id = ? and customer_id = ? and type = ? and deleted_at is null', id, customerId, type);
        return { accountId: request.caller.account.id, row: PaymentSource, from: WITH_DEFAULT, where };
      },
      handle: (request, body) => {
        const key = { customerId: pathId(request, 'Customer'), id: pathId(request, 'Payment source', 'source'), type };
        return write(request, {
          statusCode: 200,
          command: (em, caller, now) => updateSource(em, { ...key, caller, makeDefault: body.make_default }, now),
          present: (source) => {
            const presented = presentPaymentSource(source);
            refuseChangedFixed(sourceChange, request.body, presented);
            return presented;
          },
        });
      },
    }),
  ];
}

const path = '/customers/:id/payment_sources';

export const paymentSourceRoutes: Route[] = [
  attemptRoute({
    path,
    operationId: 'createPaymentSource',
    permission: 'payments.write',
    summary: 'Store a card or bank account',
    body: newPaymentSource,
    example: { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true },
    answer: { statusCode: 201, kind: paymentSources },
    start: (request, body) => {
      const { deps } = request;
      const customerId = pathId(request, 'Customer');
      const source = { customerId, method: body.method, currency: body.currency, makeDefault: body.make_default };
      const instrument = instrumentOf(request, body);
      const { lookUpDelay } = deps;
      return (em, caller, now) => startVault(em, { ...instrument, ...source, caller, lookUpDelay }, now);
    },
  }),
  listRoute({
    path,
    resource: paymentSources,
    summary: 'List the cards and bank accounts of a customer',
    handle: async (request) => {
      await findCustomer(request);
      return list(request, paymentSources);
    },
  }),
  attemptRoute({
    path: '/customers/:id/bank_accounts/:source/verify',
    operationId: 'verifyBankAccount',
    permission: 'payments.write',
    summary: 'Verify a bank account by its micro-deposits; three wrong tries end it',
    body: verification,
    example: { amounts: [0.35, 0.45] },
    answer: { statusCode: 200, kind: { shape: bankAccount } },
    start: (request, { amounts }) => {
      const { cipher, lookUpDelay } = request.deps;
      if (amounts.length !== 2) throw new Refusal('parameter_invalid', 'Exactly two amounts are needed', 'amounts');
      const key = { customerId: pathId(request, 'Customer'), id: pathId(request, 'Payment source', 'source') };
      return (em, caller, now) => startVerification(em, { ...key, amounts, cipher, caller, lookUpDelay }, now);
    },
  }),
  ...routesOf('card', 'cards', { shape: card, name: 'card' }),
  ...routesOf('bank_account', 'bank_accounts', { shape: bankAccount, name: 'bank account' }),
];
