import { mailProviders as names } from '../../billing/mail/providers.ts';
import { createMailProvider, deleteMailProvider, updateMailProvider } from '../../commands/accounts/mailProviders.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { MailProvider } from '../../db/schema/mailProvider.ts';
import { presentMailProvider } from '../../present/accounts/providers.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { keysOnly, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

const mailProvider = shown.shape('MailProvider', 'Sender of events about your mails', {
  id: shown.id('Id of the mail provider', 4),
  provider: shown.choice('Provider; `mailbox` passes on the reports of mail servers', ...names),
  name: shown.text('Name of the mail provider, for your own use', 'Postmark'),
  events_url: shown.text(
    'URL to enter at the provider for bounces and complaints',
    'https://billing.example.com/mail_events/postmark_1_4',
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const secret = fields.described(
  fields.text(),
  'Authenticates events; stored encrypted, never returned. `ses`: ARN of the topic; `sendgrid`: verification key; otherwise a password of at least 16 characters',
);
const readOnly = ['id', 'object', 'events_url', 'created_at', 'updated_at'];

const newMailProvider = object(
  {
    provider: fields.required(fields.choice(...names)),
    name: fields.required(fields.name),
    secret: fields.required(secret),
  },
  { readOnly },
);

const mailProviderChange = object(
  { name: fields.kept(fields.name), secret: fields.kept(secret) },
  { readOnly, fixed: ['provider'] },
);

const mailProviders: Resource<MailProvider, 'id'> = {
  name: 'Mail provider',
  area: 'settings',
  shape: mailProvider,
  row: MailProvider,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentMailProvider),
};

const path = '/mail_providers';

const meansOf = ({ deps }: ApiRequest) => ({ cipher: deps.cipher, kinds: deps.mailProviders.kinds });

/** Mail providers hold secrets, so applications may neither create nor change them. */
export const mailProviderRoutes: Route[] = [
  ...keysOnly(
    createRoute({
      path,
      resource: mailProviders,
      summary: 'Add a provider of events about mails',
      body: newMailProvider,
      example: { provider: 'postmark', name: 'Postmark', secret: 'sixteen-or-more-characters' },
      command: (em, { caller, body, request }, now) =>
        createMailProvider(em, { caller, ...meansOf(request), ...body }, now),
      present: presentMailProvider,
    }),
    updateRoute({
      path,
      resource: mailProviders,
      summary: 'Change a mail provider, or replace its secret',
      body: mailProviderChange,
      example: { name: 'Postmark, transactional' },
      command: (em, { caller, id, body, request }, now) =>
        updateMailProvider(em, { caller, id, ...meansOf(request), name: body.name, secret: body.secret }, now),
      present: presentMailProvider,
    }),
    deleteRoute({
      path,
      resource: mailProviders,
      summary: 'Delete a mail provider and its secret; its events are refused from then on',
      command: deleteMailProvider,
    }),
  ),
  listRoute({ path, resource: mailProviders, summary: 'List mail providers' }),
  readRoute({ path, resource: mailProviders, summary: 'Read a mail provider' }),
];
