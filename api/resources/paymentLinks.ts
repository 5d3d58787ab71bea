import { askedKinds } from '../../billing/signUps/paymentLink.ts';
import { createPaymentLink, deletePaymentLink, updatePaymentLink } from '../../commands/catalog/paymentLinks.ts';
import { searchWords } from '../../db/queries/kernel/search.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { NAME_KEYS } from '../../db/schema/indexes.ts';
import { PaymentLink } from '../../db/schema/paymentLink.ts';
import { presentPaymentLink } from '../../present/catalog/salesPages.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

const shownField = shown.value('AskedField', 'Question of the page of a payment link, besides name and email', {
  kind: shown.oneOf('Kind of the question; `text`: a line with your label', 'text', askedKinds),
  label: shown.nullable(shown.text('Label of the field; null: the usual one of its kind', 'Booking number')),
  required: shown.flag('Whether it must be filled in', true),
});

const paymentLink = shown.shape('PaymentLink', 'Page on which anybody can pay you an amount', {
  id: shown.id('Id of the payment link', 4),
  name: shown.text('Heading of the page, and the line of the invoice', 'Concert ticket'),
  description: shown.nullable(shown.text('Text below the heading', 'Row 7, seat 12')),
  enabled: shown.flag('False: the page says that nothing can be paid now', true),
  currency: shown.currency('Currency of the amount: three-letter ISO 4217 code'),
  amount: shown.nullable(
    shown.money('Amount to pay, without taxes that come on top; null: the payer types it', 45),
    45,
  ),
  min_amount: shown.nullable(shown.money('Smallest amount that can be typed; null: no bound', 10), null),
  max_amount: shown.nullable(shown.money('Largest amount that can be typed; null: no bound', 500), null),
  fields: shown.listOf(shownField, 'Questions of the page besides name and email'),
  taxes: shown.textList('Ids of the tax rates of the amount', 'vat'),
  return_urls: shown.textList(
    'Addresses to which the page may lead back; a link to the page names one of them as `return_url`, else it is the first',
    'https://example.com/thanks',
  ),
  url: shown.text('URL of the page', 'https://billing.example/pay/1/4/0c5f8a3e7d1b4f6a9e2d8b7c6a5f4e3d'),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const [MOST_FIELDS, MOST_TAXES, MOST_URLS, LONGEST_URL] = [10, 20, 20, 2048];

const askedField = object({
  kind: fields.required(fields.choice(...askedKinds)),
  label: fields.text(),
  required: fields.withDefault(fields.boolean, false),
});

const readOnly = ['id', 'object', 'url', 'created_at', 'updated_at'];
const contents = {
  description: fields.longText,
  amount: fields.positiveAmount,
  min_amount: fields.positiveAmount,
  max_amount: fields.positiveAmount,
  fields: fields.list(askedField, MOST_FIELDS),
  taxes: fields.list(fields.required(fields.code), MOST_TAXES),
  return_urls: fields.list(fields.required(fields.text(LONGEST_URL)), MOST_URLS),
};

const newPaymentLink = object(
  {
    name: fields.required(fields.name),
    currency: fields.described(fields.currency, 'Currency: three-letter ISO 4217 code; default: that of the account'),
    ...contents,
    enabled: fields.withDefault(fields.boolean, true),
  },
  { readOnly },
);

const paymentLinkChange = object(
  {
    name: fields.kept(fields.name),
    currency: fields.kept(fields.currency),
    ...contents,
    enabled: fields.resettable(fields.boolean, true),
  },
  { readOnly },
);

export const paymentLinks: Resource<PaymentLink, 'id'> = {
  name: 'Payment link',
  area: 'catalog',
  shape: paymentLink,
  row: PaymentLink,
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
  present: async (_reading, rows) => rows.map(presentPaymentLink),
};

type Asked =
  | { kind: (typeof askedKinds)[number]; label?: string | null | undefined; required: boolean }[]
  | null
  | undefined;

const askedOf = (asked: Asked) => (asked ?? []).map(({ kind, label = null, required }) => ({ kind, label, required }));

const path = '/payment_links';
const present = presentPaymentLink;

export const paymentLinkRoutes: Route[] = [
  createRoute({
    path,
    resource: paymentLinks,
    summary: 'Create a payment link',
    body: newPaymentLink,
    present,
    example: { name: 'Concert ticket', amount: 45 },
    command: (em, { caller, body }, now) => {
      const { name, enabled } = body;
      const fields = {
        name,
        enabled,
        currency: body.currency ?? caller.account.currency,
        description: body.description ?? null,
        amount: body.amount ?? null,
        minAmount: body.min_amount ?? null,
        maxAmount: body.max_amount ?? null,
        fields: askedOf(body.fields),
        taxCodes: body.taxes ?? [],
        returnUrls: body.return_urls ?? [],
      };
      return createPaymentLink(em, { caller, fields }, now);
    },
  }),
  listRoute({ path, resource: paymentLinks, summary: 'List payment links' }),
  readRoute({ path, resource: paymentLinks, summary: 'Read a payment link' }),
  updateRoute({
    path,
    resource: paymentLinks,
    summary: 'Change a payment link',
    body: paymentLinkChange,
    present,
    example: { name: 'Concert ticket, balcony' },
    command: (em, { caller, id, body }, now) => {
      const { name, enabled, currency, description, amount } = body;
      const { fields: asked, taxes, return_urls: returnUrls } = body;
      const fields = {
        name,
        enabled,
        currency,
        description,
        amount,
        minAmount: body.min_amount,
        maxAmount: body.max_amount,
        fields: asked === undefined ? undefined : askedOf(asked),
        taxCodes: taxes === null ? [] : taxes,
        returnUrls: returnUrls === null ? [] : returnUrls,
      };
      return updatePaymentLink(em, { caller, id, fields }, now);
    },
  }),
  deleteRoute({
    path,
    resource: paymentLinks,
    summary: 'Delete a payment link; what was paid by it stays',
    command: deletePaymentLink,
  }),
];
