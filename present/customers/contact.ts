import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Contact } from '../../db/schema/contact.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentContact(contact: Plain<Contact>): Presented {
  return {
    id: contact.id,
    object: 'contact',
    name: contact.name,
    title: orNull(contact.title),
    email: orNull(contact.email),
    phone: orNull(contact.phone),
    primary: contact.isPrimary,
    sms_enabled: contact.smsEnabled,
    department: orNull(contact.department),
    address1: orNull(contact.address1),
    address2: orNull(contact.address2),
    city: orNull(contact.city),
    state: orNull(contact.state),
    postal_code: orNull(contact.postalCode),
    country: orNull(contact.country),
    created_at: unix(contact.createdAt),
    updated_at: unix(contact.updatedAt),
  };
}
