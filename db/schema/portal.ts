import { defineEntity, p } from '@mikro-orm/core';
import type { PortalLinkPurpose } from '../../billing/people/portal.ts';
import { policiesThrough } from '../tenant.ts';
import { oneOf, tenantKey } from './columns.ts';
import { Customer } from './customer.ts';
import type { UsedCredential } from './event.ts';

/** The credential of the account's product that made a link, with the member to whom it belongs. */
export interface PortalMaker {
  credential: UsedCredential;
  memberId: number | null;
  isReadOnly: boolean;
  /** Where the portal leads back to. */
  returnUrl: string;
}

const purposes: readonly PortalLinkPurpose[] = ['sign_in', 'session', 'email'];

const PortalLinkSchema = defineEntity({
  name: 'PortalLink',
  policies: policiesThrough('portal_link', 'customer'),
  comment:
    'A link into the portal of a customer that works once: to sign in, from the product of the account, or to confirm an address',
  properties: {
    ...tenantKey,
    /** Of several customers with one address, the first. */
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    purpose: p.string().length(7).$type<PortalLinkPurpose>(),
    /** `hashSecret` of the secret in the link. */
    hash: p.string().length(64),
    /** The address that signs in, or that is to become the customer's. Lower case when it signs in. Null: the product of the account made it. */
    email: p.string().length(255).nullable(),
    /** `hashSecret` of the cookie of the browser that asked for it; null: any browser may use it. */
    browserHash: p.string().length(64).nullable(),
    /** `hashSecret` of secret and code: the code that another browser needs. */
    codeHash: p.string().length(64).nullable(),
    /** How often a code was tried. */
    tries: p.integer().default(0),
    maker: p.json().$type<PortalMaker>().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'portal_link_hash', properties: ['hash'] }],
  indexes: [
    { name: 'portal_link_by_customer', properties: ['accountId', 'customer', 'purpose'] },
    { name: 'portal_link_expiry', properties: ['expiresAt'] },
  ],
  checks: [oneOf('portal_link', 'purpose', purposes)],
});
export class PortalLink extends PortalLinkSchema.class {}
PortalLinkSchema.setClass(PortalLink);

const PortalSessionSchema = defineEntity({
  name: 'PortalSession',
  policies: policiesThrough('portal_session', 'customer'),
  comment: 'A browser that is signed in to the portal of a customer',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    /** `hashSecret` of the cookie. */
    hash: p.string().length(64),
    /** The address that signed in, in lower case. Null: a link of the account's product opened it. */
    email: p.string().length(255).nullable(),
    maker: p.json().$type<PortalMaker>().nullable(),
    ip: p.string().length(64),
    userAgent: p.string().length(255).nullable(),
    createdAt: p.datetime(),
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime(),
  },
  uniques: [{ name: 'portal_session_hash', properties: ['hash'] }],
  indexes: [
    { name: 'portal_session_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'portal_session_expiry', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'portal_session_holder', expression: '(email is null) <> (maker is null)' }],
});
export class PortalSession extends PortalSessionSchema.class {}
PortalSessionSchema.setClass(PortalSession);
