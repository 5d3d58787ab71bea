import { formatsOf } from '../../../present/printed/formats.ts';
import type { PortalVisit } from './place.ts';

/** Formats of a currency for the customer. */
export function formatsIn({ head, customer, account }: PortalVisit, currency: string) {
  const country = customer.country ?? (customer.language ? null : (account.country ?? null));
  return formatsOf({ language: head.language, country, currency, timeZone: account.timeZone });
}
