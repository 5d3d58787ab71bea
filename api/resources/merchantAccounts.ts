import type { z } from 'zod';
import {
  createMerchantAccount,
  deleteMerchantAccount,
  findMerchantAccount,
  updateMerchantAccount,
} from '../../commands/accounts/merchantAccounts.ts';
import type { OpenedMerchant } from '../../commands/ports/ports.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import { presentMerchantAccount } from '../../present/accounts/providers.ts';
import * as fields from '../body/fields.ts';
import { object, refuseChangedFixed } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { keysOnly, pathId, type Reply, type Route, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { writeOutside } from '../writing/writeOutside.ts';
import { deleteRoute } from '../writing/writeRoutes.ts';

const merchantAccount = shown.shape(
  'MerchantAccount',
  'Account of yours at a payment gateway, which stores and charges the cards and bank accounts of your customers',
  {
    id: shown.id('Id of the merchant account', 4),
    gateway: shown.choice('Payment gateway', 'stripe'),
    name: shown.text('Name of the merchant account, for your own use', 'Stripe, Germany'),
    gateway_account: shown.text('Id of the account at the gateway', 'acct_1032D82eZvKYlo2C'),
    publishable_key: shown.unset(
      shown.text('Publishable key, with which pages of yours mount the fields of the gateway', 'pk_live_51H8x'),
    ),
    currencies: shown.textList(
      'Currencies that it takes, as three-letter ISO 4217 codes in lower case; empty: all',
      'eur',
    ),
    receives_events: shown.flag('True: it has the secret that signs the events of the gateway', true),
    events_url: shown.text(
      'URL to enter at the gateway as the endpoint of its events',
      'https://billing.example.com/gateway_events/stripe_1_4',
    ),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
  },
);

const MOST_CURRENCIES = 200;
const key = fields.text(255);

const publishableKey = fields.described(key, 'Publishable key of the account at the gateway, such as `pk_live_…`');
const eventSecret = fields.described(
  key,
  'Secret that signs the events of the gateway, such as `whsec_…`; never returned; null: no events are received',
);
const secretKey = fields.described(
  key,
  'Secret key of the account at the gateway, such as `sk_live_…`; checked at the gateway, stored encrypted, never returned',
);
const currencies = fields.list(fields.required(fields.currency), MOST_CURRENCIES);
const readOnly = ['id', 'object', 'gateway_account', 'receives_events', 'events_url', 'created_at', 'updated_at'];

const newMerchantAccount = object(
  {
    gateway: fields.required(fields.choice('stripe')),
    name: fields.required(fields.name),
    secret_key: fields.required(secretKey),
    event_secret: eventSecret,
    publishable_key: publishableKey,
    currencies,
  },
  { readOnly },
);

const merchantAccountChange = object(
  {
    name: fields.kept(fields.name),
    secret_key: fields.kept(secretKey),
    event_secret: eventSecret,
    publishable_key: publishableKey,
    currencies,
  },
  { readOnly, fixed: ['gateway'] },
);

const merchantAccounts: Resource<MerchantAccount, 'id'> = {
  name: 'Merchant account',
  area: 'settings',
  shape: merchantAccount,
  row: MerchantAccount,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentMerchantAccount),
};

const path = '/merchant_accounts';

/** Asks the gateway which account a secret key opens. */
async function opened({ deps }: ApiRequest, gateway: string, secretKey: string): Promise<OpenedMerchant> {
  const kind = deps.gateways.kinds.get(gateway);
  if (!kind) throw new Error(`no gateway ${gateway}`);
  return kind.check(secretKey, AbortSignal.timeout(deps.gatewayDeadline));
}

function create(request: ApiRequest, body: z.output<typeof newMerchantAccount>): Promise<Reply> {
  const { gateway, name, secret_key: secretKey, event_secret: eventSecret = null } = body;
  const { publishable_key: publishableKey = null, currencies } = body;
  const { cipher } = request.deps;
  const fields = { gateway, name, secretKey, eventSecret, publishableKey, currencies: currencies ?? [] };
  return writeOutside(request, {
    statusCode: 201,
    check: async () => undefined,
    act: () => opened(request, gateway, secretKey),
    record: (em, { caller, outcome }, now) =>
      createMerchantAccount(em, { ...fields, caller, cipher, opened: outcome }, now),
    present: presentMerchantAccount,
  });
}

function change(request: ApiRequest, body: z.output<typeof merchantAccountChange>): Promise<Reply> {
  const id = pathId(request, merchantAccounts.name);
  const { caller: by, deps, em: reading } = request;
  const { name, secret_key: key, event_secret: eventSecret, publishable_key: publishableKey, currencies } = body;
  return writeOutside(request, {
    check: (em, caller) => findMerchantAccount(em, { caller, id }),
    act: async () => {
      if (key === undefined) return null;
      const { gateway } = await findMerchantAccount(reading, { caller: by, id });
      return { key, opened: await opened(request, gateway, key) };
    },
    record: (em, { caller, outcome }, now) =>
      updateMerchantAccount(
        em,
        {
          caller,
          id,
          cipher: deps.cipher,
          name,
          eventSecret,
          publishableKey,
          currencies: currencies === null ? [] : currencies,
          secret: outcome ?? undefined,
        },
        now,
      ),
    present: (merchant) => {
      const presented = presentMerchantAccount(merchant);
      refuseChangedFixed(merchantAccountChange, request.body, presented);
      return presented;
    },
  });
}

/** Merchant accounts hold secrets that move money, so applications may neither create nor change them. */
export const merchantAccountRoutes: Route[] = [
  ...keysOnly(
    withBody({
      method: 'POST',
      path,
      operationId: 'createMerchantAccount',
      permission: 'settings.write',
      body: newMerchantAccount,
      summary: 'Add an account at a payment gateway; its secret key is checked there',
      example: {
        gateway: 'stripe',
        name: 'Stripe',
        secret_key: 'sk_test_51H8xExampleExample',
        publishable_key: 'pk_test_51H8xExampleExample',
      },
      answer: { statusCode: 201, kind: merchantAccounts },
      handle: create,
    }),
    withBody({
      method: 'PATCH',
      path: `${path}/:id`,
      operationId: 'updateMerchantAccount',
      permission: 'settings.write',
      body: merchantAccountChange,
      summary: 'Change a merchant account, or replace its secrets',
      example: { name: 'Stripe, Germany', currencies: ['eur'] },
      answer: { statusCode: 200, kind: merchantAccounts },
      handle: change,
    }),
    deleteRoute({
      path,
      resource: merchantAccounts,
      summary: 'Delete a merchant account that stores no payment sources, and its secrets',
      command: deleteMerchantAccount,
    }),
  ),
  listRoute({ path, resource: merchantAccounts, summary: 'List merchant accounts' }),
  readRoute({ path, resource: merchantAccounts, summary: 'Read a merchant account' }),
];
