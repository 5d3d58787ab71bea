import { createHash } from 'node:crypto';
import type { ShownField } from '../../billing/customFields.ts';
import type { BillToSnapshot, PartySnapshot, SellerSnapshot } from '../../billing/documents/snapshot.ts';
import { lookOf } from '../../billing/look/theme.ts';
import type { EntityManager } from '../../db/orm.ts';
import { shownTheme } from '../../db/queries/catalog/themes.ts';
import type { PrintedCustomer } from '../../db/queries/documents/printed.ts';
import { keepSnapshot, type NewSnapshot } from '../../db/queries/documents/stored.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import type { Account } from '../../db/schema/account.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { only } from '../../present/printed/template.ts';
import { shownFields } from '../catalog/customFields.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** The parties and the language of a document. */
type Content = Omit<NewSnapshot, 'accountId' | 'hash'>;

/** The current details of seller and customer. With `billToParent`, the customer's details are the parent's. */
export async function snapshotOf(em: EntityManager, locked: LockedCustomer): Promise<NewSnapshot> {
  const { customer } = locked;
  const { accountId, billToParent, parent } = customer;
  const billed = billToParent && parent ? await em.findOneOrFail(Customer, { accountId, id: parent.id }) : customer;
  const content = partiesOf({
    account: locked.moment.caller.account,
    customer,
    billed,
    theme: customer.shownTheme ?? null,
    fields: await fieldsOf(em, customer),
  });
  return { ...content, accountId, hash: createHash('sha256').update(JSON.stringify(content)).digest('hex') };
}

/** The parties of a draft, as if it were issued now. */
export async function partiesOfNow(em: EntityManager, account: Account, customerId: number): Promise<Parties> {
  const customer = await customerOf(em, account, customerId);
  const { billToParent, parent } = customer;
  const billed = billToParent && parent ? await customerOf(em, account, parent.id) : customer;
  const theme = await shownTheme(em, account.id, customer);
  return partiesOf({ account, customer, billed, theme, fields: await fieldsOf(em, customer) });
}

async function customerOf(em: EntityManager, account: Account, id: number): Promise<Plain<Customer>> {
  const customer = (await readingOf(em, account.id).byId(Customer, [id])).get(id);
  if (!customer) throw new Error(`no customer ${id}`);
  return customer;
}

/** The custom fields of a customer that its documents show. */
function fieldsOf(
  em: EntityManager,
  { accountId, metadata }: Pick<Plain<Customer>, 'accountId' | 'metadata'>,
): Promise<ShownField[]> {
  return shownFields(em, { accountId, object: 'customer', metadata });
}

interface Involved<Party extends PrintedCustomer | null> {
  account: Account;
  /** Null: the customer is not known. */
  customer: Party;
  /** The customer whose details are shown: itself or its parent. */
  billed: Party;
  /** The theme of the customer or the account; null: none. */
  theme: Plain<Theme> | null;
  /** Custom fields of the customer. Absent: this kind of paper shows none. */
  fields?: readonly ShownField[];
}

/** The parties on a customer's documents. */
export function partiesOf(involved: Involved<PrintedCustomer>): Content;
export function partiesOf(involved: Involved<PrintedCustomer | null>): Parties;
export function partiesOf({
  account,
  customer,
  billed,
  theme,
  fields = [],
}: Involved<PrintedCustomer | null>): Parties {
  const language = customer?.language ?? account.language;
  const seller = themed(sellerOf(account), theme);
  if (!customer || !billed) return { seller, billTo: null, language };
  const { attentionTo = null } = billed;
  const { id: customerId, number, language: own = null } = customer;
  const known = { ...partyOf(billed), customerId, number, attentionTo, language: own };
  const billTo = fields.length > 0 ? { ...known, fields } : known;
  return { seller, billTo: customer.taxable ? billTo : { ...billTo, isExempt: true }, language };
}

const laterFields = [
  'taxIdKind',
  'taxIdCountry',
  'replyTo',
  'bankDetails',
  'paymentReference',
  'footer',
  'smallBusinessNote',
  'exemptionNote',
] as const;

/** Later fields without a value are left out, so that documents of accounts without them keep the hash of their content. */
function sellerOf(account: Account): SellerSnapshot {
  const { accentColor = null, logoHash = null } = account;
  const given = laterFields.filter((name) => account[name] !== null && account[name] !== undefined);
  return { ...partyOf(account), accentColor, logoHash, ...only(account, given) };
}

/** The seller with the accent, logo and footer of its theme. */
export function themed(seller: SellerSnapshot, theme: Plain<Theme> | null): SellerSnapshot {
  if (!theme) return seller;
  const { accentColor, logoHash, footer } = theme;
  return {
    ...seller,
    accentColor: accentColor ?? seller.accentColor,
    logoHash: logoHash ?? seller.logoHash,
    ...(footer ? { footer } : {}),
    theme: lookOf(theme),
  };
}

/** Parties of a receipt, whose customer may be unknown. */
export type Parties = Omit<Content, 'billTo'> & { billTo: BillToSnapshot | null };

function partyOf(party: Account | PrintedCustomer): PartySnapshot {
  const { name, email = null, address1 = null, address2 = null, city = null, state = null } = party;
  const { postalCode = null, country = null, taxId = null } = party;
  return { name, email, address1, address2, city, state, postalCode, country, taxId };
}

/** Stores the snapshot of a document that is issued now. Returns its id. */
export async function storeSnapshot(em: EntityManager, locked: LockedCustomer): Promise<number> {
  return keepSnapshot(em, await snapshotOf(em, locked), locked.moment.now);
}
