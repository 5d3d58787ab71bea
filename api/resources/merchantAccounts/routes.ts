import type { z } from 'zod';
import {
  createMerchantAccount,
  deleteMerchantAccount,
  findMerchantAccount,
  updateMerchantAccount,
} from '../../../commands/accounts/merchantAccounts.ts';
import type { OpenedMerchant } from '../../../commands/ports/ports.ts';
import { presentMerchantAccount } from '../../../present/accounts/merchantAccount.ts';
import { refuseChangedFixed } from '../../body/fixed.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { keysOnly, pathId, type Reply, type Route, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { writeOutside } from '../../writing/writeOutside.ts';
import { deleteRoute } from '../../writing/writeRoutes.ts';
import { merchantAccounts } from './resource.ts';
import { merchantAccountChange, newMerchantAccount } from './schema.ts';

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
      const shown = presentMerchantAccount(merchant);
      refuseChangedFixed(merchantAccountChange, request.body, shown);
      return shown;
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
