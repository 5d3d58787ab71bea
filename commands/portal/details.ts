import { isCountry } from '../../billing/country.ts';
import { isVatNumberOf, plainTaxId } from '../../billing/documents/taxId.ts';
import { hasVisible } from '../../billing/look/visibleText.ts';
import { EMAIL } from '../../billing/mail/mailSender.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { portalEmailChangedEmail, portalEmailChangeEmail } from '../../present/emails/portal.ts';
import { portalUrl } from '../../present/kernel/links.ts';
import { updateCustomer } from '../customers/customers.ts';
import { logAct } from '../kernel/auditLog.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import { lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { queueEmail } from '../mail/emails.ts';
import { newPortalLink, newPortalSecret, takePortalLink } from './links.ts';
import { type PortalVisitor, partyInPortal } from './sessions.ts';

/** What a customer changes of itself. */
export const detailFields = [
  'name',
  'attentionTo',
  'address1',
  'address2',
  'city',
  'state',
  'postalCode',
  'country',
  'phone',
  'taxId',
] as const;
export type DetailField = (typeof detailFields)[number];
export type Details = Readonly<Record<DetailField, string | null>>;

const LONGEST = 255;
const CONTROL = /\p{Cc}/u;

/** Changes details of a customer. Refuses an empty name, texts that are too long, an unknown country, and a tax id that is not one of its country. */
export async function changeDetails(
  em: EntityManager,
  { account, visitor, details }: { account: Account; visitor: PortalVisitor; details: Details },
  systemNow: Date,
): Promise<void> {
  checkDetails(details);
  const { customerId: id } = visitor.session;
  const { name, ...others } = details;
  const fields = { ...others, name: name ?? '' };
  await updateCustomer(em, { caller: systemCallerOf(account), id, fields }, systemNow);
  logged(em, visitor, 'changeDetailsInPortal', systemNow);
}

function checkDetails(details: Details): void {
  const refuse = (param: DetailField) => {
    throw new Refusal('parameter_invalid', `${param} is not valid`, param);
  };
  for (const field of detailFields) {
    const value = details[field];
    if (value !== null && (value.length > LONGEST || CONTROL.test(value))) refuse(field);
  }
  const { name, country, taxId } = details;
  if (!hasVisible(name ?? '')) refuse('name');
  if (country !== null && !isCountry(country)) refuse('country');
  // A VAT number names its country. Other numbers have forms that are not checked.
  const claimed = taxId === null ? null : /^[A-Z]{2}/.exec(plainTaxId(taxId))?.[0];
  const isVat = country !== null && (claimed === country || (claimed === 'EL' && country === 'GR'));
  if (isVat && taxId !== null && country !== null && !isVatNumberOf(taxId, country)) refuse('taxId');
}

function logged(em: EntityManager, visitor: PortalVisitor, operation: string, systemNow: Date): void {
  const { accountId, session } = visitor;
  const object = { type: 'customer', id: session.customerId };
  logAct(em, { accountId, by: partyInPortal(visitor), kind: 'change', operation, object }, systemNow);
}

/** Mails a link to the address that is to become the customer's. Nothing changes before it is confirmed there. Refuses what is no address. */
export async function askForEmailChange(
  em: EntityManager,
  { account, visitor, email }: { account: Account; visitor: PortalVisitor; email: string },
  systemNow: Date,
): Promise<void> {
  if (email.length > LONGEST || !EMAIL.test(email))
    throw new Refusal('parameter_invalid', 'Email must be an address', 'email');
  const { customerId } = visitor.session;
  const caller = systemCallerOf(account);
  const { customer, moment, clockId } = await lockCustomer(em, { caller, customerId }, systemNow);
  refuseAnonymous(customer);
  const secret = newPortalSecret();
  const link = await newPortalLink(em, { customer, purpose: 'email', email, secret }, systemNow);
  const href = `${portalUrl(account.id)}/emails/${secret}`;
  const rendered = portalEmailChangeEmail({ seller: account, customer, href });
  const to = { name: customer.name, email };
  const mail = { template: 'portal_email_change_email', cause: `portal_link:${link.id}`, to, rendered } as const;
  queueEmail(em, { moment, customer, clockId }, mail);
  logged(em, visitor, 'askForEmailChangeInPortal', systemNow);
}

/** Changes the address of a customer by the link that was mailed to it, and tells the address from before. False: the link has ended. */
export async function confirmEmailChange(
  em: EntityManager,
  { account, secret }: { account: Account; secret: string },
  systemNow: Date,
): Promise<boolean> {
  const accountId = account.id;
  const link = await takePortalLink(em, { accountId, purpose: 'email', secret }, systemNow);
  if (!link?.email || !setting(account, 'portal_edit_details')) return false;
  const caller = systemCallerOf(account);
  const { id } = link.customer;
  const { email } = link;
  const { customer: locked, moment, clockId } = await lockCustomer(em, { caller, customerId: id }, systemNow);
  if (locked.anonymizedAt) return false;
  const former = locked.email;
  const customer = await updateCustomer(em, { caller, id, fields: { email } }, systemNow);
  const by = { actor: 'customer', actorId: id } as const;
  const object = { type: 'customer', id };
  logAct(em, { accountId, by, kind: 'change', operation: 'confirmEmailInPortal', object }, systemNow);
  if (!former || former.toLowerCase() === email.toLowerCase()) return true;
  const rendered = portalEmailChangedEmail({ seller: account, customer, email });
  const to = { name: customer.name, email: former };
  const mail = { template: 'portal_email_changed_email', cause: `portal_link:${link.id}`, to, rendered } as const;
  queueEmail(em, { moment, customer, clockId }, mail);
  return true;
}
