import type { Area, Permission } from './permissions.ts';

/** What a contact may do in the portal of its customer. */
export const portalRoles = ['pay', 'view'] as const;
export type PortalRole = (typeof portalRoles)[number];

/**
 * What somebody may do in the portal of a customer. `manage`: everything, as the email address of the customer itself does; `pay`: read, pay,
 * and add payment sources of its own; `view`: read.
 */
export type PortalRights = PortalRole | 'manage';

const RANKS: Readonly<Record<PortalRights, number>> = { view: 0, pay: 1, manage: 2 };

/** Whether somebody may do what needs these rights. */
export const mayDo = (held: PortalRights, needed: PortalRights): boolean => RANKS[held] >= RANKS[needed];

/** What a session of the account's product shows, and what one that is not read-only may write. */
const SHOWN: readonly Area[] = ['customers', 'documents', 'payments', 'subscriptions'];
const WRITTEN: readonly Area[] = ['customers', 'payments', 'subscriptions'];

/** The permissions that a credential needs to open such a session, and for as long as it lasts. */
export function neededToOpen({ isReadOnly }: { isReadOnly: boolean }): Permission[] {
  const written = isReadOnly ? [] : WRITTEN.map((area): Permission => `${area}.write`);
  return [...SHOWN.map((area): Permission => `${area}.read`), ...written];
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/** How long the secrets of links count, milliseconds. `session`: a link that the product of the account makes. */
export const PORTAL_LINK_LIFETIMES = { sign_in: 15 * MINUTE, session: 5 * MINUTE, email: 60 * MINUTE } as const;
export type PortalLinkPurpose = keyof typeof PORTAL_LINK_LIFETIMES;

/** How long a session counts after a sign-in by mail, and after a link of the account's own product, milliseconds. */
export const PORTAL_SESSION_LIFETIMES = { mail: 30 * DAY, product: 60 * MINUTE } as const;

/** A session is noted as seen at most once in this time, milliseconds. */
export const SEEN_AGAIN_AFTER = MINUTE;

/** Wrong codes after which a sign-in link ends. */
export const MOST_WRONG_CODES = 5;

/** Whether an address may be registered as one to which the portal leads back: https, or http of this machine, and no fragment. */
export function isReturnAddress(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 500 || !URL.canParse(text)) return false;
  const { protocol, hostname, hash, search, username, password } = new URL(text);
  const isLocal = protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1');
  return (protocol === 'https:' || isLocal) && hash === '' && search === '' && username === '' && password === '';
}

/** Whether the portal may lead back to an address: origin and path are those of a registered one; its query is free. */
export function isRegisteredReturn(wanted: string, registered: readonly string[]): boolean {
  if (wanted.length > 2000 || !URL.canParse(wanted)) return false;
  const { origin, pathname, hash, username, password } = new URL(wanted);
  if (hash !== '' || username !== '' || password !== '') return false;
  return registered.some((one) => {
    const known = new URL(one);
    return known.origin === origin && known.pathname === pathname;
  });
}
