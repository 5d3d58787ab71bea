import type { MadeLink } from '../../commands/portal/links.ts';
import { makePortalLink } from '../../commands/portal/links.ts';
import { presentPortalSession } from '../../present/customers/portalSession.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { pathId, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { createRoute } from '../writing/writeRoutes.ts';

const portalSession = shown.shape(
  'PortalSession',
  'Link of your product into the portal of a customer; it opens the portal once, within five minutes, in any browser',
  {
    id: shown.id('Id of the link', 5),
    customer: shown.id('Id of the customer'),
    url: shown.text(
      'The link, which only this response shows: a page that names the customer and leads into its portal',
      'https://billing.example/portal/1/sessions/0Zt5x8',
    ),
    return_url: shown.text('Address to which the portal leads back', 'https://app.example/account'),
    read_only: shown.flag('True: nothing can be changed in the portal', false),
    expires_at: shown.timestamp('When the link expires if nobody used it'),
    created_at: shown.createdAt,
  },
);

const LONGEST_ADDRESS = 2000;

const newPortalSession = object(
  {
    return_url: fields.required(
      fields.described(
        fields.text(LONGEST_ADDRESS),
        'Address to which the portal leads back; its origin and path have to be among `portal_return_urls` of the account, or it is a page of the dashboard',
      ),
    ),
    read_only: fields.withDefault(
      fields.described(
        fields.boolean,
        'True: nothing can be changed in the portal. False: as the customer can, except email addresses and people; the caller has to be able to write customers, payments and subscriptions',
      ),
      false,
    ),
  },
  { readOnly: ['id', 'object', 'customer', 'url', 'expires_at', 'created_at'] },
);

const kind = { shape: portalSession };

export const portalSessionRoutes: Route[] = [
  createRoute({
    path: '/customers/:customer_id/portal_sessions',
    resource: { ...kind, area: 'customers' },
    permission: 'customers.read',
    sealed: kind,
    summary: 'Make a link into the portal of a customer; only this answer contains it',
    body: newPortalSession,
    example: { return_url: 'https://app.example/account', read_only: true },
    command: (em, { caller, body, request }, now): Promise<MadeLink> => {
      const customerId = pathId(request, 'Customer', 'customer_id');
      return makePortalLink(em, { caller, customerId, returnUrl: body.return_url, isReadOnly: body.read_only }, now);
    },
    present: ({ link, secret }) => presentPortalSession(link, secret),
  }),
];
