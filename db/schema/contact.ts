import { defineEntity, p } from '@mikro-orm/core';
import type { PortalRole } from '../../billing/people/portal.ts';
import { policiesThrough } from '../tenant.ts';
import { eventCount, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';
import { CONTACT_KEYS, partialIndex, phoneIndex, searchIndex } from './indexes.ts';

const ContactSchema = defineEntity({
  name: 'Contact',
  policies: policiesThrough('contact', 'customer'),
  comment: 'Another recipient, or another address, of a customer',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    name: p.string().length(255),
    title: p.string().length(255).nullable(),
    email: p.string().length(255).nullable(),
    phone: p.string().length(255).nullable(),
    /** Whether the contact gets a copy of the customer's mail. */
    isPrimary: p.boolean(),
    smsEnabled: p.boolean(),
    /** What it may do in the portal of its customer; null: it cannot sign in. */
    portalRole: p.string().length(4).$type<PortalRole>().nullable(),
    department: p.string().length(255).nullable(),
    address1: p.string().length(255).nullable(),
    address2: p.string().length(255).nullable(),
    city: p.string().length(255).nullable(),
    state: p.string().length(255).nullable(),
    postalCode: p.string().length(255).nullable(),
    country: p.string().length(2).nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'contact_by_customer', properties: ['accountId', 'customer', 'id'] },
    partialIndex('contact', 'contact_primary', ['account_id, customer_id', 'is_primary']),
    partialIndex('contact', 'contact_of_portal', ['account_id, lower(email)', 'portal_role is not null']),
    phoneIndex('contact'),
    searchIndex('contact', CONTACT_KEYS),
  ],
});
export class Contact extends ContactSchema.class {}
ContactSchema.setClass(Contact);
