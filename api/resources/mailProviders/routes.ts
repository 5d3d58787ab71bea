import {
  createMailProvider,
  deleteMailProvider,
  updateMailProvider,
} from '../../../commands/accounts/mailProviders.ts';
import { presentMailProvider } from '../../../present/accounts/mailProvider.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { keysOnly, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { mailProviders } from './resource.ts';
import { mailProviderChange, newMailProvider } from './schema.ts';

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
