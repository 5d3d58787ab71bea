import type { z } from 'zod';
import { checkProviderOf, type MessageProviderName, messageProviders as names } from '../../billing/mail/providers.ts';
import {
  createMessageProvider,
  deleteMessageProvider,
  findMessageProvider,
  updateMessageProvider,
} from '../../commands/accounts/messageProviders.ts';
import type { TextCredentials } from '../../commands/ports/ports.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { MessageProvider } from '../../db/schema/messageProvider.ts';
import { presentMessageProvider } from '../../present/accounts/providers.ts';
import * as fields from '../body/fields.ts';
import { object, refuseChangedFixed } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { keysOnly, pathId, type Reply, type Route, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { writeOutside } from '../writing/writeOutside.ts';
import { deleteRoute } from '../writing/writeRoutes.ts';

const ACCOUNT = 'Id of the account at the provider';

const messageProvider = shown.shape('MessageProvider', 'Account of yours at a provider that sends text messages', {
  id: shown.id('Id of the message provider', 4),
  provider: shown.choice('Provider; `test` is the one of the sandbox, and sends nothing', ...names),
  name: shown.text('Name of the message provider, for your own use', 'Twilio'),
  account_sid: shown.text(ACCOUNT, 'AC0123456789abcdef0123456789abcdef'),
  sender: shown.text('Number that texts come from, or id of a messaging service `MG…`', '+15555550100'),
  events_url: shown.text(
    'URL to enter at the provider for incoming messages, so that STOP and START arrive',
    'https://billing.example.com/sms_events/twilio_1_4',
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const MOST_CHARACTERS = 34;
const sid = fields.described(fields.text(MOST_CHARACTERS), ACCOUNT);
const token = fields.described(
  fields.text(),
  'Secret of the account at the provider; checked there, stored encrypted, never returned. It also signs events',
);
const sender = fields.described(
  fields.text(MOST_CHARACTERS),
  'Number that texts come from, such as `+15555550100`, or id of a messaging service `MG…`',
);
const readOnly = ['id', 'object', 'events_url', 'created_at', 'updated_at'];

const newMessageProvider = object(
  {
    provider: fields.required(fields.choice(...names)),
    name: fields.required(fields.name),
    account_sid: fields.required(sid),
    auth_token: fields.required(token),
    sender: fields.required(sender),
  },
  { readOnly },
);

const messageProviderChange = object(
  { name: fields.kept(fields.name), auth_token: fields.kept(token), sender: fields.kept(sender) },
  { readOnly, fixed: ['provider', 'account_sid'] },
);

const messageProviders: Resource<MessageProvider, 'id'> = {
  name: 'Message provider',
  area: 'settings',
  shape: messageProvider,
  row: MessageProvider,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentMessageProvider),
};

const path = '/message_providers';

/** Asks the provider about credentials. Throws a Refusal if they open no account with this sender. */
async function checked({ deps }: ApiRequest, provider: MessageProviderName, credentials: TextCredentials) {
  const kind = deps.textProviders.kinds.get(provider);
  if (!kind) throw new Error(`no provider ${provider}`);
  await kind.check(credentials, AbortSignal.timeout(deps.gatewayDeadline));
  return credentials;
}

function create(request: ApiRequest, body: z.output<typeof newMessageProvider>): Promise<Reply> {
  const { provider, name, account_sid: accountSid, auth_token: authToken, sender } = body;
  const { cipher } = request.deps;
  return writeOutside(request, {
    statusCode: 201,
    check: async (_em, caller) => checkProviderOf(caller.account.environment, provider),
    act: () => checked(request, provider, { accountSid, authToken, sender }),
    record: (em, { caller, outcome }, now) =>
      createMessageProvider(em, { ...outcome, caller, cipher, provider, name }, now),
    present: presentMessageProvider,
  });
}

function change(request: ApiRequest, body: z.output<typeof messageProviderChange>): Promise<Reply> {
  const id = pathId(request, messageProviders.name);
  const { caller: by, deps, em: reading } = request;
  const { name, auth_token: authToken, sender } = body;
  return writeOutside(request, {
    check: (em, caller) => findMessageProvider(em, { caller, id }),
    act: async () => {
      if (authToken === undefined && sender === undefined) return null;
      const known = await findMessageProvider(reading, { caller: by, id });
      const token = authToken ?? deps.cipher.decrypt(known.sealedAuthToken ?? '');
      const asked = { accountSid: known.accountSid, authToken: token, sender: sender ?? known.sender };
      return checked(request, known.provider, asked);
    },
    record: (em, { caller, outcome }, now) =>
      updateMessageProvider(em, { caller, id, cipher: deps.cipher, name, sender, authToken, checked: outcome }, now),
    present: (provider) => {
      const presented = presentMessageProvider(provider);
      refuseChangedFixed(messageProviderChange, request.body, presented);
      return presented;
    },
  });
}

/** Message providers hold secrets, so applications may neither create nor change them. */
export const messageProviderRoutes: Route[] = [
  ...keysOnly(
    withBody({
      method: 'POST',
      path,
      operationId: 'createMessageProvider',
      permission: 'settings.write',
      body: newMessageProvider,
      summary: 'Add the provider of text messages; its credentials are checked there',
      example: {
        provider: 'test',
        name: 'Sandbox',
        account_sid: 'AC0123456789abcdef0123456789abcdef',
        auth_token: 'any',
        sender: '+15555550100',
      },
      answer: { statusCode: 201, kind: messageProviders },
      handle: create,
    }),
    withBody({
      method: 'PATCH',
      path: `${path}/:id`,
      operationId: 'updateMessageProvider',
      permission: 'settings.write',
      body: messageProviderChange,
      summary: 'Change a message provider, or replace its secret',
      example: { name: 'Twilio, Germany', sender: '+15555550101' },
      answer: { statusCode: 200, kind: messageProviders },
      handle: change,
    }),
    deleteRoute({
      path,
      resource: messageProviders,
      summary: 'Delete a message provider and its secret; texts that wait become tasks',
      command: deleteMessageProvider,
    }),
  ),
  listRoute({ path, resource: messageProviders, summary: 'List message providers' }),
  readRoute({ path, resource: messageProviders, summary: 'Read a message provider' }),
];
