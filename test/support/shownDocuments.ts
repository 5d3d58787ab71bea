import { minorUnits } from '../../billing/money/money.ts';
import { accountingWordsOf } from '../../words/accounting/words.ts';
import type { Client, TestApi } from './api.ts';
import { visitPage } from './payPage.ts';
import { randomOf } from './random.ts';
import { amountReader, type ReadTotals, readTotals, rowsOfMail, rowsOfPage, rowsOfPayPage } from './shownTotals.ts';

/** Random documents, created through the API, and the totals that their pages and mails show. */

/** Languages with the country whose formats their readers have. */
const READERS = { en: 'US', de: 'DE', fr: 'FR', es: 'ES', ar: 'EG', he: 'IL', ja: 'JP', zh: 'CN' } as const;
type Language = keyof typeof READERS;
export const languagesOfReaders = Object.keys(READERS).filter((one): one is Language => one in READERS);
const CURRENCIES = ['usd', 'eur', 'jpy', 'kwd'];

/** Coupons and rates from which random documents choose. */
export interface ShownCatalog {
  coupons: Readonly<Record<string, string[]>>;
  rates: string[];
}

export async function createShownCatalog(by: Client): Promise<ShownCatalog> {
  const coupons: Record<string, string[]> = {};
  for (const currency of CURRENCIES) {
    const fixed = await by.make('/coupons', {
      id: `off-${currency}`,
      name: 'Less',
      value: 7,
      is_percent: false,
      currency,
    });
    coupons[currency] = [fixed.id];
  }
  const percents = { third: 33.3333, tenth: 10, most: 62.5 };
  for (const [id, value] of Object.entries(percents)) {
    await by.make('/coupons', { id, name: `Sale ${id}`, value, is_percent: true });
    for (const known of Object.values(coupons)) known.push(id);
  }
  const rates = [];
  for (const [id, value, inclusive] of [
    ['vat', 19, false],
    ['gst', 8.25, false],
    ['city', 1.5, false],
    ['in', 7, true],
  ] as const)
    rates.push((await by.make('/tax_rates', { id, name: `Tax ${id}`, value, is_percent: true, inclusive })).id);
  return { coupons, rates };
}

/** A document that was created, with how it was created. */
export interface ShownDocument {
  id: number;
  number: string;
  url: string;
  payment_url: string | null;
  pdf_url: string;
  total: number;
  balance: number;
  language: Language;
  currency: string;
  /** What a plan asks for; null: there is no plan. */
  asked: number | null;
  /** The payment of a part of it; null: there is none. */
  payment: { id: number; url: string } | null;
}

const WORDS = [
  'Support',
  'Hosting & care',
  'Gold plan',
  'שעת תמיכה',
  'دعم فني',
  'サポート',
  'Data <transfer>',
  'Training',
];

/** The content of a random document: lines, discounts and taxes, in a currency. */
export function shownContent({ coupons, rates }: ShownCatalog, random: () => number) {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const one = <Of>(all: readonly Of[]): Of => all[upTo(all.length - 1)] ?? (all[0] as Of);
  const some = <Of>(all: readonly Of[], most: number): Of[] => [...all].sort(() => random() - 0.5).slice(0, upTo(most));
  const currency = one(CURRENCIES);
  const digits = minorUnits(currency);
  const round = (value: number) => Number(value.toFixed(digits));
  const discounts = () => [...some(coupons[currency] ?? [], 2), ...(upTo(4) === 0 ? [{ amount: round(3.21) }] : [])];
  const taxes = () => [...some(rates, 2), ...(upTo(5) === 0 ? [{ amount: round(1.05) }] : [])];
  const line = () => ({
    name: `${one(WORDS)} ${'abcdefgh'.charAt(upTo(7))}`,
    quantity: upTo(2) === 0 ? Number((random() * 12 + 0.1).toFixed(3)) : 1 + upTo(4),
    unit_cost: Number((random() * 400 + 20).toFixed(upTo(4))),
    discountable: upTo(5) > 0,
    taxable: upTo(5) > 0,
    discounts: upTo(1) === 0 ? discounts() : [],
    taxes: upTo(2) === 0 ? taxes() : [],
  });
  const items = Array.from({ length: 1 + upTo(13) }, line);
  return { currency, items, discounts: upTo(1) === 0 ? discounts() : [], taxes: taxes() };
}

/** Creates an invoice with random lines, discounts and taxes, some of it paid or on a payment plan. */
export async function createShownInvoice(by: Client, catalog: ShownCatalog, seed: number): Promise<ShownDocument> {
  const random = randomOf(seed);
  const language = languagesOfReaders[seed % languagesOfReaders.length] ?? 'en';
  const { currency, items, ...content } = shownContent(catalog, random);
  const round = (value: number) => Number(value.toFixed(minorUnits(currency)));
  const who = { name: 'Ada', email: 'ada@example.com', language, country: READERS[language], currency };
  const customer = (await by.make('/customers', who)).id;
  const invoice = await (random() < 0.2
    ? billOf(by, customer, { items, currency, credited: -round(15.5) })
    : by.make('/invoices', { customer, currency, items, ...content }));
  return { ...(await settled(by, invoice, { random, customer, round })), language, currency };
}

/** A bill of pending lines, one of which is negative. */
async function billOf(
  by: Client,
  customer: number,
  { items, currency, credited }: { items: object[]; currency: string; credited: number },
) {
  const credit = { name: 'Credit', quantity: 1, unit_cost: credited };
  for (const item of [...items, credit]) await by.make(`/customers/${customer}/line_items`, { ...item, currency });
  return by.make(`/customers/${customer}/invoices`, {});
}

/** Pays a part of an invoice, or gives it a plan. */
async function settled(
  by: Client,
  { id }: { id: number },
  { random, customer, round }: { random: () => number; customer: number; round(value: number): number },
) {
  const read = async () => (await by.get(`/invoices/${id}`)).body;
  const { total, currency } = await read();
  const part = round(total * 0.4);
  const isPaid = random() < 0.5 && part > 0;
  const given = isPaid
    ? await by.make('/payments', {
        customer,
        currency,
        amount: round(part + 2),
        method: 'cash',
        applied_to: [{ type: 'invoice', invoice: id, amount: part }],
      })
    : null;
  const { balance } = await read();
  const first = round(balance / 3);
  const hasPlan = random() < 0.4 && first > 0;
  const due = (month: number) => Date.UTC(2027, month, 27, 12) / 1000;
  const installments = [
    { date: due(3), amount: first },
    { date: due(4), amount: round(balance - first) },
  ];
  if (hasPlan) await by.request('PUT', `/invoices/${id}/payment_plan`, { installments });
  const payment = given && { id: given.id, url: given.pdf_url.replace(/\/pdf$/, '') };
  return { ...(await read()), asked: hasPlan ? first : null, payment };
}

/** What a page, mail or paper says about totals, in the words of a language. */
export function totalsReader({ language, currency }: Pick<ShownDocument, 'language' | 'currency'>) {
  const { ofWhich, net } = accountingWordsOf(language);
  const bare = ofWhich.replace(/[\s\u2066-\u2069]/g, '');
  const words = { ofWhich: new RegExp(bare.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('\\{name\\}', '.*')), net };
  return {
    read: amountReader(`${language}-${READERS[language]}`, currency),
    totals: (rows: Parameters<typeof readTotals>[0]): ReadTotals => readTotals(rows, language, words),
  };
}

/** The totals of an invoice as its page, its pay page and its mail show them. */
export async function shownEverywhere(api: TestApi, document: ShownDocument): Promise<Record<string, ReadTotals>> {
  const { read, totals } = totalsReader(document);
  const page = await visitPage(api, document.url);
  const [sent] = (await api.sandbox.post(`/invoices/${document.id}/emails`, {})).body;
  const [mail] = await api.em.fork().execute<{ html: string }[]>('select html from email where id = ?', [sent.id]);
  const shown: Record<string, ReadTotals> = {
    page: totals(rowsOfPage(page.html, read)),
    mail: totals(rowsOfMail(mail?.html ?? '', read)),
  };
  if (document.payment_url !== null)
    shown.pay = totals(rowsOfPayPage((await visitPage(api, document.payment_url)).html, read));
  return shown;
}
