import { Refusal } from '../../billing/refusal.ts';
import { checkPageUrl } from '../../billing/signUps/terms.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockCountOf, lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Item } from '../../db/schema/item.ts';
import { Plan } from '../../db/schema/plan.ts';
import { SignUpPage } from '../../db/schema/signUpPage.ts';
import { presentSignUpPage } from '../../present/catalog/salesPages.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import { namedCodes, sortByCodes } from './codes.ts';

export type SignUpPageFields = Pick<
  SignUpPage,
  | 'name'
  | 'enabled'
  | 'plans'
  | 'addons'
  | 'minQuantity'
  | 'maxQuantity'
  | 'trialDays'
  | 'takesCoupons'
  | 'address'
  | 'takesTaxId'
  | 'returnUrls'
> & { description: string | null; termsUrl: string | null; terms: string | null };

export interface SignUpPageKey {
  caller: Caller;
  id: number;
}

export interface SignUpPageChange extends SignUpPageKey {
  fields: { [Name in keyof SignUpPageFields]?: SignUpPageFields[Name] | undefined };
}

/** Most sign-up pages of an account. */
const MOST_PAGES = 1000;

/** Creates a sign-up page. Refuses plans and items that cannot be sold there, bounds that exclude each other, and unsafe return addresses. */
export async function createSignUpPage(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: SignUpPageFields },
  systemNow: Date,
): Promise<SignUpPage> {
  const accountId = caller.account.id;
  await lockCountOf(em, 'sign_up_page', accountId);
  if ((await em.count(SignUpPage, { accountId, deletedAt: null })) >= MOST_PAGES)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_PAGES} sign-up pages`);
  await check(em, accountId, fields);
  await refuseCurrencies(em, accountId, fields);
  const { sign_up_page: id } = await reserveIds(em, 'sign_up_page');
  const page = em.create(SignUpPage, { ...fields, accountId, id, createdAt: systemNow, updatedAt: systemNow });
  recordPage(em, { caller, page, type: 'created' }, systemNow);
  return page;
}

/** Changes a sign-up page, if anything differs. Refuses what `createSignUpPage` refuses. Throws Missing. */
export async function updateSignUpPage(
  em: EntityManager,
  { fields, ...key }: SignUpPageChange,
  systemNow: Date,
): Promise<SignUpPage> {
  const page = await lockPage(em, key);
  const before = presentSignUpPage(page);
  if (!assignChanges(page, fields)) return page;
  await check(em, page.accountId, { ...page, plans: fields.plans ?? [], addons: fields.addons ?? [] });
  if (fields.plans || fields.addons) await refuseCurrencies(em, page.accountId, page);
  page.updatedAt = systemNow;
  recordPage(em, { caller: key.caller, page, type: 'updated', before }, systemNow);
  return page;
}

/** Deletes a sign-up page: its address leads nowhere. Who has subscribed there stays. Refuses one that a customer has. Throws Missing. */
export async function deleteSignUpPage(em: EntityManager, key: SignUpPageKey, systemNow: Date): Promise<SignUpPage> {
  const page = await lockPage(em, key);
  const [row] = await em.execute<{ id: number }[]>(
    'select id from customer where account_id = ? and sign_up_page_id = ? limit 1',
    [page.accountId, page.id],
  );
  if (row) throw new Refusal('in_use', `Customer ${row.id} has this sign-up page: give it another one first`);
  Object.assign(page, { deletedAt: systemNow, updatedAt: systemNow });
  recordPage(em, { caller: key.caller, page, type: 'deleted' }, systemNow);
  return page;
}

async function lockPage(em: EntityManager, { caller, id }: SignUpPageKey): Promise<SignUpPage> {
  const page = await lockRow(em, SignUpPage, { accountId: caller.account.id, id });
  if (!page || page.deletedAt) throw new Missing('Sign-up page', id);
  return page;
}

/** The sign-up page that a customer names. Refuses one that the account does not have. */
export async function findNamedSignUpPage(
  em: EntityManager,
  accountId: number,
  id: number | null,
): Promise<SignUpPage | null> {
  if (id === null) return null;
  const page = await lockRow(em, SignUpPage, { accountId, id });
  if (page && !page.deletedAt) return page;
  throw new Refusal('resource_missing', `Sign-up page was not found: ${id}`, 'sign_up_page');
}

type Checked = Pick<SignUpPageFields, 'plans' | 'addons' | 'minQuantity' | 'maxQuantity' | 'returnUrls'> & {
  termsUrl?: string | null | undefined;
};

async function check(em: EntityManager, accountId: number, fields: Checked): Promise<void> {
  if (fields.minQuantity > fields.maxQuantity)
    throw new Refusal('parameter_invalid', 'Minimum quantity must not be above the maximum', 'min_quantity');
  for (const [index, url] of fields.returnUrls.entries()) checkPageUrl(url, `return_urls[${index}]`);
  if (fields.termsUrl) checkPageUrl(fields.termsUrl, 'terms_url');
  const plans = await sellable(em, accountId, namedCodes(fields.plans, 'plans'));
  const addons = fields.addons.map((addon, index) => ({ ...addon, param: `addons[${index}]` }));
  for (const { plan, item, param } of addons)
    if ((plan === null) === (item === null))
      throw new Refusal('parameter_invalid', 'An add-on has a plan or a catalog item', `${param}[plan]`);
  const codes = addons.flatMap(({ plan, param }) => (plan === null ? [] : [{ code: plan, param: `${param}[plan]` }]));
  await sellable(em, accountId, codes);
  const items = addons.flatMap(({ item, param }) =>
    item === null ? [] : [{ code: item, param: `${param}[catalog_item]` }],
  );
  const known = { accountId, code: { $in: items.map(({ code }) => code) }, archivedAt: null };
  await sortByCodes(em, { kind: 'item', accountId, codes: items }, items.length > 0 ? await em.find(Item, known) : []);
  const [metered] = plans.filter(({ quantityType }) => quantityType === 'usage');
  if (metered && fields.maxQuantity > 1)
    throw new Refusal('parameter_invalid', `Plan ${metered.code} bills usage: it has no quantity`, 'max_quantity');
}

/** Refuses plans of several currencies: a page shows prices, and takes cards, in one. */
async function refuseCurrencies(
  em: EntityManager,
  accountId: number,
  { plans, addons }: Pick<SignUpPageFields, 'plans' | 'addons'>,
): Promise<void> {
  const codes = [...plans, ...addons.flatMap(({ plan }) => plan ?? [])];
  const sold = await em.find(Plan, { accountId, code: { $in: codes } });
  const currencyOf = (code: string) => sold.find((plan) => plan.code === code)?.currency;
  const [first = ''] = codes;
  const other = codes.findIndex((code) => currencyOf(code) !== currencyOf(first));
  if (other < 0) return;
  const message = `All plans of a page have one currency: ${first} is in ${currencyOf(first)}, ${codes[other]} in ${currencyOf(codes[other] ?? '')}`;
  throw new Refusal('parameter_invalid', message, other < plans.length ? `plans[${other}]` : 'addons');
}

/** Plans with a price. Refuses unknown and archived ones, and those whose price is agreed with each customer. */
async function sellable(
  em: EntityManager,
  accountId: number,
  codes: readonly { code: string; param: string }[],
): Promise<Plan[]> {
  if (codes.length === 0) return [];
  const known = { accountId, code: { $in: codes.map(({ code }) => code) }, archivedAt: null };
  const plans = await sortByCodes(em, { kind: 'plan', accountId, codes }, await em.find(Plan, known));
  plans.forEach(({ code, pricingMode }, index) => {
    if (pricingMode === 'custom')
      throw new Refusal(
        'parameter_invalid',
        `Plan ${code} has no price of its own: it cannot be sold on a page`,
        codes[index]?.param,
      );
  });
  return plans;
}

function recordPage(
  em: EntityManager,
  change: {
    caller: Caller;
    page: SignUpPage;
    type: 'created' | 'updated' | 'deleted';
    before?: ReturnType<typeof presentSignUpPage>;
  },
  systemNow: Date,
): void {
  const { caller, page, type, before } = change;
  const subject = { type: 'sign_up_page', id: page.id, row: page };
  const object = presentSignUpPage(page);
  record(em, accountMoment(caller, systemNow), { type: `sign_up_page.${type}`, subject, object, before });
}
