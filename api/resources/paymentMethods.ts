import { paymentMethods } from '../../billing/payments/paymentMethods.ts';
import { methodNamed, methodsOf, updatePaymentMethod } from '../../commands/accounts/paymentMethods.ts';
import type { EntityManager } from '../../db/orm.ts';
import { lockPaymentMethods } from '../../db/queries/accounts/accounts.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { PaymentMethod } from '../../db/schema/paymentMethod.ts';
import { presentPaymentMethod } from '../../present/accounts/providers.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { csvParameters } from '../framework/parameters.ts';
import { pathCode, type Route, reply } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { columnsIn, csvReply, wantsCsv } from '../reading/csv.ts';
import { updateRoute } from '../writing/writeRoutes.ts';

const paymentMethod = shown.shape(
  'PaymentMethod',
  'Payment method, and how your pages offer it to customers; requests of yours may use every method',
  {
    id: shown.oneOf('Name of the method: `ach` is a bank debit', 'check', paymentMethods),
    enabled: shown.flag('True: pages offer it, unless the customer or the document disables it', true),
    order: shown.integer('Place among the methods of a page, lowest first', 3),
    min: shown.nullable(shown.money('Smallest amount to pay with it; null: any', 5)),
    max: shown.nullable(shown.money('Largest amount to pay with it; null: any', 5000)),
    currency: shown.currency(
      'Currency of `min` and `max`, which do not limit amounts in others: three-letter ISO 4217 code',
    ),
    instructions: shown.nullable(
      shown.text(
        'Text for the payer, such as the bank account for a transfer',
        'Payable to Acme Inc., 1 Main Street, Austin',
      ),
    ),
    gl_account: shown.nullable(
      shown.text('General ledger account of its money; null: that of `cash` or `clearing` in `gl_mapping`', '1010'),
    ),
  },
);

const LAST_PLACE = 1000;
const MOST_CHARACTERS = 2000;

const paymentMethodChange = object(
  {
    enabled: fields.kept(fields.boolean),
    order: fields.kept(fields.wholeNumber(0, LAST_PLACE)),
    min: fields.nonNegativeAmount,
    max: fields.nonNegativeAmount,
    instructions: fields.text(MOST_CHARACTERS),
    gl_account: fields.reference,
  },
  { readOnly: ['id', 'object', 'currency'] },
);

const path = '/payment_methods';
const resource = { name: 'Payment method', shape: paymentMethod, area: 'settings', idColumn: 'code' } as const;

export const paymentMethodRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'readPaymentMethods',
    permission: 'settings.read',
    summary: 'Read all payment methods, in the order of your pages',
    parameters: csvParameters,
    answer: { statusCode: 200, kind: resource, isArray: true },
    media: ['csv'],
    handle: async (request) => {
      const { em, caller, query } = request;
      const methods = (await methodsOf(em, caller.account)).map(presentPaymentMethod);
      if (!wantsCsv(request)) return reply(200, methods);
      const slices = [methods];
      return csvReply('payment_methods', columnsIn(query, resource, null), async () => slices.pop() ?? []);
    },
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'readPaymentMethod',
    permission: 'settings.read',
    summary: 'Read a payment method',
    idColumn: 'code',
    answer: { statusCode: 200, kind: resource },
    stored: (request) => {
      const accountId = request.caller.account.id;
      const where = condition('method = ?', pathCode(request, resource.name));
      const lock = (em: EntityManager) => lockPaymentMethods(em, accountId);
      return { accountId, row: PaymentMethod, where, lock, mayBeAbsent: true };
    },
    handle: async (request) => {
      const { em, caller } = request;
      const name = pathCode(request, resource.name);
      return reply(200, presentPaymentMethod(await methodNamed(em, caller.account, name)));
    },
  },
  updateRoute({
    path,
    resource,
    summary: 'Change how your pages offer a payment method',
    present: presentPaymentMethod,
    body: paymentMethodChange,
    example: { enabled: true, min: 50, instructions: 'Payable to Acme Inc., 1 Main Street, Austin' },
    command: (em, { caller, code, body: { gl_account: glAccount, ...body } }, now) =>
      updatePaymentMethod(em, { ...body, glAccount, caller, name: code }, now),
  }),
];
