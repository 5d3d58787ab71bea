import type { PortalLink } from '../../db/schema/portal.ts';
import { portalUrl } from '../kernel/links.ts';
import { type Presented, unix } from '../kernel/values.ts';

/** A link into the portal of a customer with its secret, which is shown once. */
export function presentPortalSession(link: PortalLink, secret: string): Presented {
  return {
    id: link.id,
    object: 'portal_session',
    customer: link.customer.id,
    url: `${portalUrl(link.accountId)}/sessions/${secret}`,
    return_url: link.maker?.returnUrl ?? '',
    read_only: link.maker?.isReadOnly ?? true,
    expires_at: unix(link.expiresAt),
    created_at: unix(link.createdAt),
  };
}
