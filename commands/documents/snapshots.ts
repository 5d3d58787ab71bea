import { createHash } from 'node:crypto';
import type { BillToSnapshot, PartySnapshot, SellerSnapshot } from '../../billing/documents/snapshot.ts';
import { lookOf } from '../../billing/look/theme.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { PrintedCustomer } from '../../db/queries/documents/printed.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Account } from '../../db/schema/account.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { only } from '../../present/printed/template.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** Seller and customer at the issue of a document. */
export interface NewSnapshot {
  hash: string;
  seller: SellerSnapshot;
  billTo: BillToSnapshot;
  language: string;
}

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
  });
  return { ...content, hash: createHash('sha256').update(JSON.stringify(content)).digest('hex') };
}

interface Involved<Party extends PrintedCustomer | null> {
  account: Account;
  /** Null: the customer is not known. */
  customer: Party;
  /** The customer whose details are shown: itself or its parent. */
  billed: Party;
  /** The theme of the customer or the account; null: none. */
  theme: Plain<Theme> | null;
}

/** The parties on a customer's documents. */
export function partiesOf(involved: Involved<PrintedCustomer>): Omit<NewSnapshot, 'hash'>;
export function partiesOf(involved: Involved<PrintedCustomer | null>): Parties;
export function partiesOf({ account, customer, billed, theme }: Involved<PrintedCustomer | null>): Parties {
  const language = customer?.language ?? account.language;
  const seller = themed(sellerOf(account), theme);
  if (!customer || !billed) return { seller, billTo: null, language };
  const { attentionTo = null } = billed;
  const { id: customerId, number, language: own = null } = customer;
  const billTo = { ...partyOf(billed), customerId, number, attentionTo, language: own };
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
export type Parties = Omit<NewSnapshot, 'hash' | 'billTo'> & { billTo: BillToSnapshot | null };

function partyOf(party: Account | PrintedCustomer): PartySnapshot {
  const { name, email = null, address1 = null, address2 = null, city = null, state = null } = party;
  const { postalCode = null, country = null, taxId = null } = party;
  return { name, email, address1, address2, city, state, postalCode, country, taxId };
}

/**
 * Part of a statement: inserts a snapshot unless an equal one exists, and selects its id as `snapshot_id`. The customer is part of the hash
 * and is locked, so no concurrent transaction inserts an equal snapshot.
 */
export const STORE_SNAPSHOT = `kept as (select id from snapshot where account_id = ? and hash = ?),
  made as (
    insert into snapshot (account_id, hash, seller, bill_to, language, created_at)
    select ?::int, ?, ?::jsonb, ?::jsonb, ?, ?::timestamptz where not exists (select 1 from kept) returning id
  ),
  snapshot_id as (select id from kept union all select id from made)`;

/** Stores the snapshot of a document that is issued now. Returns its id. */
export async function storeSnapshot(em: EntityManager, locked: LockedCustomer): Promise<number> {
  const values = await valuesOfSnapshot(em, locked);
  const [row] = await em.execute<{ id: number }[]>(`with ${STORE_SNAPSHOT} select id from snapshot_id`, values);
  if (!row) throw new Error('no snapshot was stored');
  return row.id;
}

/** The parameters of `STORE_SNAPSHOT`. */
export async function valuesOfSnapshot(em: EntityManager, locked: LockedCustomer): Promise<unknown[]> {
  const { accountId } = locked.customer;
  const { hash, seller, billTo, language } = await snapshotOf(em, locked);
  const content = [JSON.stringify(seller), JSON.stringify(billTo), language, locked.moment.now.toISOString()];
  return [accountId, hash, accountId, hash, ...content];
}
