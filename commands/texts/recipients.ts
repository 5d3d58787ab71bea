import { type Place, placeOfPerson, zonesOfPlace } from '../../billing/time/placeZones.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Contact } from '../../db/schema/contact.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { stoppedNumbers } from './stops.ts';

/** A contact that may be texted. */
export interface TextRecipient {
  contactId: number;
  name: string;
  /** In E.164. */
  number: string;
  /** The zones in which it may be. */
  zones: readonly string[];
}

/** Most contacts of a customer that get a text of one step. */
const MOST_RECIPIENTS = 10;

/** The contacts of a customer that may be texted, each number once, without those that have stopped texts. */
export async function textRecipients(em: EntityManager, locked: LockedCustomer): Promise<TextRecipient[]> {
  const { accountId } = locked.customer;
  const contacts = await em.find(
    Contact,
    { accountId, customer: locked.customer, smsEnabled: true, phone: { $ne: null } },
    { orderBy: { id: 'asc' }, limit: MOST_RECIPIENTS },
  );
  const recipients = await Promise.all(contacts.map((contact) => recipientOf(locked, contact)));
  const found = recipients.filter((recipient) => recipient !== null);
  const numbers = found.map(({ number }) => number);
  const stopped = await stoppedNumbers(em, accountId, numbers);
  return found.filter(({ number }, index) => numbers.indexOf(number) === index && !stopped.has(number));
}

/**
 * A contact as a recipient of texts. Null: it is not texted, or has no valid number. A process loads the number plans of all countries, which
 * take 20 MiB, when it first texts somebody.
 */
export async function recipientOf(
  { customer, moment }: LockedCustomer,
  contact: Contact,
): Promise<TextRecipient | null> {
  const { id, name, phone, smsEnabled } = contact;
  if (!smsEnabled || !phone) return null;
  const address = placeOf(contact);
  const home = placeOf(customer);
  const { readPhone } = await import('../../billing/mail/phone.ts');
  const found = readPhone(phone, address.country ?? home.country ?? moment.caller.account.country ?? null);
  if (!found) return null;
  const place = placeOfPerson({ address, numberCountry: found.country, customer: home });
  return { contactId: id, name, number: found.number, zones: zonesOfPlace(place) };
}

const placeOf = ({ country, state }: Partial<Record<keyof Place, string | null | undefined>>): Place => ({
  country: country ?? null,
  state: state ?? null,
});
