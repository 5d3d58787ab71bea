import { askedAddresses } from '../../billing/signUps/terms.ts';
import { createSignUpPage, deleteSignUpPage, updateSignUpPage } from '../../commands/catalog/signUpPages.ts';
import { searchWords } from '../../db/queries/kernel/search.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { NAME_KEYS } from '../../db/schema/indexes.ts';
import { SignUpPage } from '../../db/schema/signUpPage.ts';
import { presentSignUpPage } from '../../present/catalog/salesPages.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

const shownAddon = shown.value('SignUpAddon', 'Add-on that a sign-up page offers', {
  plan: shown.nullable(shown.code('Id of its plan; null: it is an item', 'support'), 'support'),
  catalog_item: shown.nullable(shown.code('Id of its item; null: it is a plan', 'seat'), null),
  max_quantity: shown.integer('Largest quantity that can be chosen; 1: it is taken or left', 1),
});

const signUpPage = shown.shape('SignUpPage', 'Page on which anybody can subscribe to plans', {
  id: shown.id('Id of the sign-up page', 2),
  name: shown.text('Heading of the page', 'Join Gold'),
  description: shown.nullable(shown.text('Text below the heading', 'For teams of every size')),
  enabled: shown.flag('False: the page says that nobody can subscribe now', true),
  plans: shown.textList('Ids of the plans to choose from, in their order; archived ones are not offered', 'gold'),
  addons: shown.listOf(shownAddon, 'Add-ons to choose'),
  min_quantity: shown.integer('Smallest quantity of the plan', 1),
  max_quantity: shown.integer('Largest quantity of the plan', 10),
  trial_days: shown.integer('Days of the trial; 0: none', 14),
  coupons: shown.flag('Whether visitors can enter the id of a coupon', true),
  address: shown.oneOf(
    'Part of the address that a visitor enters: `none`, `country`, or the `full` address',
    'country',
    askedAddresses,
  ),
  ask_tax_id: shown.flag('Whether visitors can enter a tax id', true),
  terms_url: shown.nullable(shown.text('Address of the terms that visitors accept', 'https://example.com/terms')),
  terms: shown.nullable(shown.text('Text of the terms that visitors accept', 'You may cancel at any time.')),
  return_urls: shown.textList(
    'Addresses to which the page may lead back; a link to the page names one of them as `return_url`, else it is the first',
    'https://example.com/welcome',
  ),
  url: shown.text('URL of the page', 'https://billing.example/sign_up/1/2/0c5f8a3e7d1b4f6a9e2d8b7c6a5f4e3d'),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const [MOST_PLANS, MOST_ADDONS, MOST_URLS, MOST_QUANTITY, MOST_DAYS, LONGEST_URL] = [20, 20, 20, 100_000, 730, 2048];

const addon = object({
  plan: fields.code,
  catalog_item: fields.code,
  max_quantity: fields.withDefault(fields.wholeNumber(1, MOST_QUANTITY), 1),
});

const readOnly = ['id', 'object', 'url', 'created_at', 'updated_at'];
const lists = {
  addons: fields.list(addon, MOST_ADDONS),
  return_urls: fields.list(fields.required(fields.text(LONGEST_URL)), MOST_URLS),
};
const plans = fields.list(fields.required(fields.code), MOST_PLANS);
const texts = { description: fields.longText, terms_url: fields.text(LONGEST_URL), terms: fields.longText };
const quantity = fields.wholeNumber(1, MOST_QUANTITY);
const days = fields.wholeNumber(0, MOST_DAYS);
const addresses = fields.choice(...askedAddresses);

const newSignUpPage = object(
  {
    name: fields.required(fields.name),
    plans: fields.required(plans),
    ...lists,
    ...texts,
    enabled: fields.withDefault(fields.boolean, true),
    min_quantity: fields.withDefault(quantity, 1),
    max_quantity: fields.withDefault(quantity, 1),
    trial_days: fields.withDefault(days, 0),
    coupons: fields.withDefault(fields.boolean, false),
    address: fields.withDefault(addresses, 'country'),
    ask_tax_id: fields.withDefault(fields.boolean, false),
  },
  { readOnly },
);

const signUpPageChange = object(
  {
    name: fields.kept(fields.name),
    plans: fields.kept(plans),
    ...lists,
    ...texts,
    enabled: fields.resettable(fields.boolean, true),
    min_quantity: fields.resettable(quantity, 1),
    max_quantity: fields.resettable(quantity, 1),
    trial_days: fields.resettable(days, 0),
    coupons: fields.resettable(fields.boolean, false),
    address: fields.resettable(addresses, 'country'),
    ask_tax_id: fields.resettable(fields.boolean, false),
  },
  { readOnly },
);

export const signUpPages: Resource<SignUpPage, 'id'> = {
  name: 'Sign-up page',
  area: 'catalog',
  shape: signUpPage,
  row: SignUpPage,
  idColumn: 'id',
  searchable: searchWords({ words: 'name', keys: NAME_KEYS, columns: { name: 'name' } }, '`name`'),
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentSignUpPage),
};

type Addons =
  | { plan?: string | null | undefined; catalog_item?: string | null | undefined; max_quantity: number }[]
  | null
  | undefined;

const addonsOf = (addons: Addons) =>
  (addons ?? []).map(({ plan = null, catalog_item: item = null, max_quantity: maxQuantity }) => ({
    plan,
    item,
    maxQuantity,
  }));

const path = '/sign_up_pages';
const present = presentSignUpPage;

export const signUpPageRoutes: Route[] = [
  createRoute({
    path,
    resource: signUpPages,
    summary: 'Create a sign-up page',
    body: newSignUpPage,
    present,
    example: { name: 'Join Gold', plans: ['gold'] },
    command: (em, { caller, body }, now) => {
      const { name, enabled, plans, address } = body;
      const fields = {
        name,
        enabled,
        plans: plans ?? [],
        address,
        description: body.description ?? null,
        addons: addonsOf(body.addons),
        minQuantity: body.min_quantity,
        maxQuantity: body.max_quantity,
        trialDays: body.trial_days,
        takesCoupons: body.coupons,
        takesTaxId: body.ask_tax_id,
        termsUrl: body.terms_url ?? null,
        terms: body.terms ?? null,
        returnUrls: body.return_urls ?? [],
      };
      return createSignUpPage(em, { caller, fields }, now);
    },
  }),
  listRoute({ path, resource: signUpPages, summary: 'List sign-up pages' }),
  readRoute({ path, resource: signUpPages, summary: 'Read a sign-up page' }),
  updateRoute({
    path,
    resource: signUpPages,
    summary: 'Change a sign-up page',
    body: signUpPageChange,
    present,
    example: { name: 'Join Silver' },
    command: (em, { caller, id, body }, now) => {
      const { name, enabled, plans, address, description, terms } = body;
      const { addons, return_urls: returnUrls } = body;
      const fields = {
        name,
        enabled,
        plans: plans ?? undefined,
        address,
        description,
        terms,
        addons: addons === undefined ? undefined : addonsOf(addons),
        minQuantity: body.min_quantity,
        maxQuantity: body.max_quantity,
        trialDays: body.trial_days,
        takesCoupons: body.coupons,
        takesTaxId: body.ask_tax_id,
        termsUrl: body.terms_url,
        returnUrls: returnUrls === null ? [] : returnUrls,
      };
      return updateSignUpPage(em, { caller, id, fields }, now);
    },
  }),
  deleteRoute({
    path,
    resource: signUpPages,
    summary: 'Delete a sign-up page; who has subscribed there stays',
    command: deleteSignUpPage,
  }),
];
