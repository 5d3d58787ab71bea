import { newToken } from '../../db/schema/columns.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { sourceUrl } from '../../present/kernel/links.ts';

/** URL of the page on which a locked customer adds a payment source. A customer from before such pages gets its token. */
export function linkToSources(customer: Customer): string {
  customer.token ??= newToken();
  return sourceUrl(customer) ?? '';
}
