import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import { declineCodeOf } from '../../../billing/payments/declines.ts';
import { type SellerHead, visitorHead } from '../../../commands/documents/sellerHead.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Account } from '../../../db/schema/account.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { SignUpPage } from '../../../db/schema/signUpPage.ts';
import { type Writing, writingFor } from '../../../present/emails/writing.ts';
import { customerSignUpToken } from '../../../present/kernel/links.ts';
import type { PayingWords } from '../../../words/paying/wording.ts';
import { payingWordsOf } from '../../../words/paying/words.ts';
import type { SellingWords } from '../../../words/selling/wording.ts';
import { sellingWordsOf } from '../../../words/selling/words.ts';
import { fill } from '../../../words/text.ts';
import type { ApiDeps } from '../../framework/deps.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import type { VisitorLimit } from '../../limits/visitorLimit.ts';
import { customerPage, languageOf } from '../kit/customerPage.ts';
import type { Html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { hasToken } from '../managing/address.ts';
import type { SellingAddress } from './address.ts';

export interface SellingDeps
  extends Pick<
    ApiDeps,
    'em' | 'poke' | 'systemNow' | 'log' | 'cipher' | 'gateways' | 'gatewayDeadline' | 'lookUpDelay' | 'publicUrl'
  > {
  proxies: BlockList;
  limit: VisitorLimit;
}

/** The seller whose page somebody visits, and the texts in the language of the visitor's browser. */
export interface Seller {
  account: Account;
  head: SellerHead;
  language: string;
  words: SellingWords;
  paying: PayingWords;
}

/** A visit to a sign-up page. */
export interface SignUpVisit {
  ctx: Context;
  deps: SellingDeps;
  em: EntityManager;
  address: SellingAddress;
  page: SignUpPage;
  /** The existing customer whose link it is; null: a stranger. */
  customer: Customer | null;
  seller: Seller;
}

/** Finds the page of an address. Null: there is none, or its link was revoked. */
export async function openSignUp(
  ctx: Context,
  deps: SellingDeps,
  address: SellingAddress,
): Promise<SignUpVisit | null> {
  const em = deps.em.fork();
  const { accountId, id } = address;
  const account = await em.findOne(Account, { id: accountId });
  const customer =
    address.kind === 'customer' ? await em.findOne(Customer, { accountId, id }, { populate: ['signUpPage'] }) : null;
  const token = customer?.token ? customerSignUpToken(customer.token) : null;
  if (customer && (!hasToken(address, { token }) || customer.anonymizedAt || customer.mergedInto)) return null;
  const page = customer ? customer.signUpPage : await em.findOne(SignUpPage, { accountId, id });
  if (!account || !page || page.deletedAt || !(customer || hasToken(address, page))) return null;
  if (address.kind === 'customer' && !customer) return null;
  const seller = await sellerOf(em, account, { language: languageOf(ctx, customer?.language ?? account.language) });
  return { ctx, deps, em, address, page, customer, seller };
}

export async function sellerOf(
  em: EntityManager,
  account: Account,
  of: { language: string; currency?: string },
): Promise<Seller> {
  const { language } = of;
  const head = await visitorHead(em, account, of);
  return { account, head, language, words: sellingWordsOf(language), paying: payingWordsOf(language) };
}

/** Texts and formats for amounts in a currency. */
export function writingOf({ account, language }: Seller, currency: string): Writing {
  const reader = { number: '', language, country: account.country ?? null, shownTheme: null };
  return writingFor(account, reader, { currency, timeZone: account.timeZone });
}

/** Says that a payment was declined, and why. */
export function declinedText({ paying }: Seller, failureCode: string | null | undefined): string {
  return `${paying.declinedTitle}\n${paying.declines[declineCodeOf(failureCode ?? null)]}`;
}

/** Fills in the seller's name. */
export function sellerIn({ head }: Pick<Seller, 'head'>, text: string): string {
  return fill(text, { seller: head.seller.name });
}

/** A page with the seller's logo, name and colour. `title` is printed text. */
export function framed({ head, account }: Seller, { title, main }: { title: string; main: Html }): Page {
  return customerPage(head, { title, main, isTest: account.environment === 'sandbox' });
}

/** The visitor's address and browser. */
export function visitorOf({ ctx, deps }: Pick<SignUpVisit, 'ctx' | 'deps'>): { ip: string; userAgent: string } {
  const ip = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), deps.proxies);
  return { ip, userAgent: ctx.get('User-Agent') };
}
