import type { z } from 'zod';
import { TEST_GATEWAY } from '../../../billing/gatewayConfiguration.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { describeToken } from '../../../commands/charges/convenienceFee.ts';
import { isTestToken } from '../../../commands/charges/gatewayOfNewSources.ts';
import { configurationOfFields, fieldsOf } from '../../../commands/charges/paymentFields.ts';
import { createServiceToken } from '../../../commands/charges/serviceTokens.ts';
import { presentPaymentFields, presentServiceToken } from '../../../present/payments/serviceToken.ts';
import { schemaOf } from '../../body/documented.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { NoRoute } from '../../framework/errors.ts';
import { refuseRepeated } from '../../framework/parameterNames.ts';
import { readParameter } from '../../framework/resource.ts';
import { type Reply, type Route, reply, withBody } from '../../framework/route.ts';
import { withoutPlace } from '../../limits/admission.ts';
import { writeOutside } from '../../writing/writeOutside.ts';
import { newServiceToken, newTestToken, wantedFields } from './schema.ts';
import { paymentFields, serviceToken, testGatewayToken } from './shape.ts';

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
  const { number, routing_number: routing, account_number: account } = body;
  if (Boolean(number) === Boolean(routing ?? account))
    throw new Refusal(
      number ? 'parameter_invalid' : 'parameter_missing',
      'Exactly one of number and routing_number with account_number is needed',
      'number',
    );
  if (!number && !routing) throw new Refusal('parameter_missing', 'Routing number missing', 'routing_number');
  if (!number && !account) throw new Refusal('parameter_missing', 'Account number missing', 'account_number');
  const token = `tok_${number ?? `${routing}_${account}`}`;
  const described = await describeToken(deps, { accountId: caller.account.id, gateway: TEST_GATEWAY, token });
  if (!described)
    throw new Refusal(
      'parameter_invalid',
      `The test gateway has no such ${number ? 'card' : 'bank account'}: take one of its documentation`,
      number ? 'number' : 'account_number',
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
