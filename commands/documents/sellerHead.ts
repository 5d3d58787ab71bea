import { readable } from '../../billing/look/visibleText.ts';
import type { EntityManager } from '../../db/orm.ts';
import { shownTheme } from '../../db/queries/catalog/themes.ts';
import { logoRow } from '../../db/queries/documents/printed.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { PrintedDocument } from '../../present/printed/document.ts';
import { headOf, type Pen, penFor } from '../../present/printed/head.ts';
import { partiesOf } from './snapshots.ts';

/** The seller as pages that show no document name it, in the language of their reader. */
export interface SellerHead
  extends Pick<PrintedDocument, 'language' | 'direction' | 'accent' | 'logo' | 'theme' | 'seller' | 'footer'> {
  pen: Pen;
}

/**
 * The head of a page for a customer. Its numbers and dates are in the formats of the customer's documents. `customer` null: nobody is known
 * yet, and `language` is that of the browser.
 */
export async function sellerHead(
  em: EntityManager,
  { account, customer }: { account: Account; customer: Plain<Customer> | null },
  { currency, timeZone, language: wanted }: { currency: string; timeZone: string; language?: string },
): Promise<SellerHead> {
  const theme = await shownTheme(em, account.id, customer);
  const { seller, billTo, language } = readable(partiesOf({ account, customer, billed: customer, theme }));
  const between = { seller, buyer: billTo, language: wanted ?? language, currency, timeZone };
  const pen = penFor(between);
  const { logoHash: hash } = seller;
  const logo = hash ? await logoRow(em, { accountId: account.id, hash }) : null;
  const picture = logo && { type: logo.type, base64: logo.bytes.toString('base64') };
  return { ...headOf(between, pen), logo: picture, pen };
}

/** The head of a page for a visitor whom nobody knows, in the language of its browser. */
export function visitorHead(
  em: EntityManager,
  account: Account,
  { language, currency = account.currency }: { language: string; currency?: string },
): Promise<SellerHead> {
  return sellerHead(em, { account, customer: null }, { currency, timeZone: account.timeZone, language });
}
