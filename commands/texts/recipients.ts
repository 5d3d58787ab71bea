import { providerConfigurationName } from '../../billing/mail/providers.ts';
import { type Place, placeOfPerson, zonesOfPlace } from '../../billing/time/placeZones.ts';
import type { EntityManager } from '../../db/orm.ts';
import { stoppedDigests, storeStop } from '../../db/queries/texts/texts.ts';
import { Contact } from '../../db/schema/contact.ts';
import { MessageProvider } from '../../db/schema/messageProvider.ts';
import { textEventsUrl } from '../../present/accounts/providers.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { hashSecret } from '../kernel/secrets.ts';
import type { Cipher, TextProviderKind, TextProviders } from '../ports/ports.ts';

/** A number is kept only as its digest, because it stays stopped when its customer is anonymized. */
const digestOf = (accountId: number, number: string): string => hashSecret(`text:${accountId}:${number}`);

/** The numbers among these that have stopped texts of an account. */
export async function stoppedNumbers(
  em: EntityManager,
  accountId: number,
  numbers: readonly string[],
): Promise<Set<string>> {
  const digests = numbers.map((number) => digestOf(accountId, number));
  const stopped = await stoppedDigests(em, { accountId, digests });
  return new Set(numbers.filter((number) => stopped.has(digestOf(accountId, number))));
}

/** Stops texts of an account to a number, or allows them again. Repeating it changes nothing. */
export function changeStop(
  em: EntityManager,
  { accountId, number, isStopped }: { accountId: number; number: string; isStopped: boolean },
  systemNow: Date,
): Promise<void> {
  return storeStop(em, { accountId, digest: digestOf(accountId, number), isStopped, now: systemNow });
}

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

/** The providers of texts that accounts have configured. The row is read at each call, so a change is effective at once in all processes. */
export function createTextProviders(of: {
  em: EntityManager;
  cipher: Cipher;
  kinds: readonly TextProviderKind[];
}): TextProviders {
  const { em, cipher } = of;
  const kinds = new Map(of.kinds.map((kind) => [kind.name, kind]));
  return {
    kinds,
    async find(accountId, wanted) {
      const which = wanted === undefined ? { accountId, deletedAt: null } : { accountId, id: wanted, deletedAt: null };
      const found = await em.fork().findOne(MessageProvider, which);
      const kind = found && kinds.get(found.provider);
      if (!found?.sealedAuthToken || !kind) return null;
      const { id, accountSid, sender } = found;
      const credentials = { accountSid, sender, authToken: cipher.decrypt(found.sealedAuthToken) };
      return { id, sender: kind.open(providerConfigurationName(found), credentials, textEventsUrl(found)) };
    },
  };
}
