import { advanceInvoice } from '../../commands/collection/invoiceSteps.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Paper, PaperShop, Sale, Seller } from './papers.ts';
import { takeSubscriptionSteps } from './subscriptionSteps.ts';

type Recipe = (shop: PaperShop) => Promise<Paper>;

const DAY = 86_400;
const HOURS = { name: 'Beratung', quantity: 3, unit_cost: 100 };
const BOOKS = { name: 'Bücher', quantity: 2, unit_cost: 53.5 };
const at = (rate: string, line: object = HOURS) => ({ ...line, taxes: [rate] });
const LONG = { name: '<b>&"\'\u202e', description: `${'langes Wort '.repeat(400)}]]>\nZweite Zeile` };

const paper = (noun: string, { id }: { id: number }, seller: Seller = 'company'): Paper => ({
  path: `/${noun}/${id}`,
  seller,
});
const invoice =
  (sale: Sale): Recipe =>
  async (shop) =>
    paper('invoices', await shop.invoice({ items: [HOURS], ...sale }), sale.seller);
/** A credit note to an invoice of 300.00 and 107.00. */
const note =
  (sale: Sale, of: Sale = {}): Recipe =>
  async (shop) => {
    const sold = await shop.invoice({ items: [HOURS, BOOKS], ...of });
    return paper('credit_notes', await shop.note(sold, { taxes: ['19'], items: [HOURS], ...of, ...sale }), of.seller);
  };
/** An invoice, after something happened to it. */
const then =
  (sale: Sale, happen: (shop: PaperShop, of: Awaited<ReturnType<PaperShop['invoice']>>) => Promise<unknown>): Recipe =>
  async (shop) => {
    const sold = await shop.invoice({ items: [HOURS], ...sale });
    await happen(shop, sold);
    return paper('invoices', sold, sale.seller);
  };

/** The credit note that grants the early-payment discount of 2 % of an invoice. */
const earned =
  (sale: Sale): Recipe =>
  async (shop) => {
    const sold = await shop.invoice({ payment_terms: '2% 10 NET 30', ...sale });
    await shop.pay(sold, Math.floor(sold.total * 98) / 100 + 0.02);
    const key = { accountId: shop.client(sale.seller).account.id, id: sold.id, lookUpDelay: 60_000 };
    const { em } = shop.api.deps;
    await withAccount(key.accountId, () => inTransaction(em, (own) => advanceInvoice(own, key, new Date())));
    const [granted] = (await shop.client(sale.seller).get(`/credit_notes?filter[invoice]=${sold.id}`)).body;
    return paper('credit_notes', granted, sale.seller);
  };

/** The first bill of a subscription, or that of its cancellation, which credits the rest of the period. */
const subscribed =
  (sale: Sale & { isCanceled: boolean }): Recipe =>
  async (shop) => {
    const client = shop.client();
    const { isCanceled, ...sold } = sale;
    const { id: customer } = await client.make('/customers', {
      name: 'Abo GmbH',
      country: 'DE',
      tax_id: 'DE123456788',
    });
    const { id } = await client.make('/subscriptions', { customer, plan: 'monthly', quantity: 3, ...sold });
    await takeSubscriptionSteps(shop.api.em, { accountId: client.account.id, id }, new Date());
    if (isCanceled) await client.delete(`/subscriptions/${id}?prorate=true`);
    const { body } = await client.get(`/invoices?filter[customer]=${customer}`);
    const bills: { id: number }[] = body;
    return paper('invoices', { id: Math.max(...bills.map((bill) => bill.id)) });
  };

/** Documents as the API makes them, by what is special about them. */
export const paperSales: Readonly<Record<string, Recipe>> = {
  'one-line': invoice({ items: [{ name: 'Eine', unit_cost: 100 }] }),
  'two-rates': invoice({ taxes: [], items: [at('19'), at('07', BOOKS)] }),
  'reduced-rate': invoice({ taxes: ['07'] }),
  inclusive: invoice({ taxes: ['19in'] }),
  'inclusive-reduced': invoice({ taxes: ['7in'], items: [BOOKS] }),
  'inclusive-two-rates': invoice({ taxes: [], items: [at('19in'), at('7in', BOOKS), at('7in')] }),
  'inclusive-and-not': invoice({ taxes: [], items: [at('19in'), at('19')] }),
  'rate-with-decimals': invoice({ taxes: ['5-5'], items: [{ name: 'x', unit_cost: 33.33 }] }),
  'many-rates': invoice({ taxes: [], items: ['19', '07', '5-5', '20', '7in'].map((rate) => at(rate)) }),
  'many-roundings': invoice({ taxes: ['20'], items: [68.33, 68.33, 57.5, 85].map((unit_cost) => ({ unit_cost })) }),
  'own-rate-and-document': invoice({ taxes: ['19'], items: [{ ...at('07', BOOKS), taxable: false }, HOURS] }),
  'ten-decimals': invoice({ items: [{ name: 'kWh', quantity: 12_345.678_9, unit_cost: 0.123_456_789_1 }] }),
  'ten-decimals-of-quantity': invoice({ items: [{ name: 'h', quantity: 0.333_333_333_3, unit_cost: 99.99 }] }),
  'ten-decimals-inclusive': invoice({ taxes: ['19in'], items: [{ quantity: 7, unit_cost: 0.333_333_333_3 }] }),
  'half-cents': invoice({ items: Array.from({ length: 9 }, () => ({ name: 'x', unit_cost: 0.005 })) }),
  'hundred-lines': invoice({
    items: Array.from({ length: 100 }, (_, at) => ({ name: `x${at}`, unit_cost: Math.round((at * 1e4) / 7) / 1e4 })),
  }),
  'coupon-of-document': invoice({ discounts: ['ten'] }),
  'coupon-over-two-rates': invoice({ taxes: [], discounts: ['third'], items: [at('19'), at('07', BOOKS)] }),
  'coupon-inclusive': invoice({ taxes: ['19in'], discounts: ['third'], items: [HOURS, BOOKS] }),
  'fixed-coupon': invoice({ discounts: ['fifty'], items: [HOURS, BOOKS] }),
  'fixed-coupon-inclusive-two-rates': invoice({
    taxes: [],
    discounts: ['fifty'],
    items: [at('19in'), at('7in', BOOKS)],
  }),
  'coupons-of-lines': invoice({ items: [{ ...HOURS, discounts: ['ten', 'third'] }, BOOKS] }),
  'amount-off-a-line': invoice({ items: [{ ...HOURS, discounts: [{ amount: 30 }] }], discounts: ['ten'] }),
  'all-free': invoice({ discounts: ['free'] }),
  'one-line-free': invoice({ items: [HOURS, { ...BOOKS, discounts: ['free'] }] }),
  'not-discountable': invoice({ discounts: ['third'], items: [HOURS, { ...BOOKS, discountable: false }] }),
  'reverse-charge': invoice({ buyer: 'austrian' }),
  'reverse-charge-coupon': invoice({ buyer: 'austrian', discounts: ['third'], items: [HOURS, BOOKS] }),
  exempt: invoice({ buyer: 'exempt', taxes: undefined }),
  'exempt-coupon': invoice({ buyer: 'exempt', taxes: undefined, discounts: ['third'] }),
  'small-business': invoice({ seller: 'smallBusiness', taxes: undefined }),
  'zero-rate': invoice({ taxes: ['00'] }),
  'zero-rate-beside-another': invoice({ taxes: [], items: [at('00'), at('19', BOOKS)] }),
  'line-without-tax': invoice({ items: [HOURS, { ...BOOKS, taxable: false }] }),
  'credited-line': invoice({ items: [HOURS, { name: 'Gutschrift', unit_cost: -80 }] }),
  'credited-line-inclusive': invoice({ taxes: ['19in'], items: [HOURS, { name: 'Gutschrift', unit_cost: -80.01 }] }),
  'negative-quantity-inclusive': invoice({
    taxes: ['19in'],
    items: [HOURS, { name: 'Rückgabe', quantity: -1, unit_cost: 80 }],
  }),
  'credited-line-other-rate': invoice({ taxes: [], items: [at('19'), at('07', { name: 'Pfand', unit_cost: -8.15 })] }),
  'rates-that-cancel': invoice({ taxes: [], items: [at('19'), at('07'), at('07', { ...HOURS, unit_cost: -100 })] }),
  'zero-quantity': invoice({ items: [HOURS, { ...BOOKS, quantity: 0 }] }),
  'partly-paid': then({ taxes: ['19'] }, (shop, of) => shop.pay(of, 100)),
  'partly-paid-and-credited': then({ items: [{ name: 'Eine', unit_cost: 100 }] }, async (shop, of) => {
    await shop.pay(of, 19);
    await shop.note(of, { taxes: ['19'], items: [{ name: 'Eine', unit_cost: 50 }] });
  }),
  paid: then({}, (shop, of) => shop.pay(of, 357)),
  'paid-by-credit-note': then({}, (shop, of) => shop.note(of, { taxes: ['19'], items: [HOURS] })),
  'payment-plan': then({}, (shop, of) =>
    shop.client().post(`/invoices/${of.id}/payment_plan`, {
      installments: [1, 2].map((month) => ({ date: of.date + month * 30 * DAY, amount: 178.5 })),
    }),
  ),
  terms: invoice({ payment_terms: 'NET 14', purchase_order: 'PO-7', notes: 'Danke.\nBis bald.' }),
  'without-terms': invoice({ seller: 'discounter', payment_terms: null, items: [BOOKS] }),
  'due-on-receipt': invoice({ payment_terms: 'Due on receipt' }),
  autopay: invoice({ autopay: true }),
  'early-discount-offered': invoice({ payment_terms: '2% 10 NET 30', taxes: [], items: [at('19'), at('07', BOOKS)] }),
  'early-discount-on-document': invoice({
    seller: 'discounter',
    payment_terms: '2% 10 NET 30',
    taxes: [],
    items: [at('19'), at('07', { ...BOOKS, unit_cost: 33.33 })],
  }),
  'early-discount-earned': earned({ items: [HOURS] }),
  'early-discount-earned-two-rates': earned({ taxes: [], items: [at('19'), at('07', BOOKS)] }),
  'early-discount-earned-inclusive': earned({ taxes: [], items: [at('19in'), at('7in', BOOKS), at('00')] }),
  'early-discount-earned-coupon': earned({ taxes: [], discounts: ['third'], items: [at('19'), at('5-5', BOOKS)] }),
  'credit-note': note({}),
  'credit-note-two-rates': note(
    { items: [at('19'), at('07', BOOKS)] },
    { taxes: [], items: [at('19'), at('07', BOOKS)] },
  ),
  'credit-note-inclusive': note({ items: [{ unit_cost: 33.33 }] }, { taxes: ['19in'] }),
  'credit-note-discounted': note({ discounts: ['third'], items: [HOURS, BOOKS] }),
  'credit-note-reverse-charge': note({}, { buyer: 'austrian' }),
  'credit-note-exempt': note({}, { buyer: 'exempt', taxes: undefined }),
  'credit-note-small-business': note({}, { seller: 'smallBusiness', taxes: undefined }),
  'credit-note-last-cents': async (shop) => {
    const items = [68.33, 68.33, 57.5, 85].map((unit_cost) => ({ unit_cost }));
    const sold = await shop.invoice({ taxes: ['20'], items });
    for (const line of items.slice(1)) await shop.note(sold, { taxes: ['20'], items: [line] });
    return paper('credit_notes', await shop.note(sold, { taxes: ['20'], items: items.slice(0, 1) }));
  },
  'credit-note-second-half': async (shop) => {
    const items = [
      { name: 'Blatt', unit_cost: 0.13, taxes: ['19'] },
      { name: 'Band', unit_cost: 33.33, taxes: ['07'] },
    ];
    const sold = await shop.invoice({ taxes: [], items });
    const half = { items: items.map((item) => ({ ...item, quantity: 0.5 })) };
    await shop.note(sold, half);
    return paper('credit_notes', await shop.note(sold, half)); // takes what rounding leaves of the lines
  },
  'credit-note-alone': async (shop) =>
    paper('credit_notes', await shop.make('/credit_notes', { taxes: ['19'], items: [HOURS], notes: 'Kulanz' })),
  'subscription-bill': subscribed({ isCanceled: false, taxes: ['19'], discounts: ['third'] }),
  'subscription-canceled': subscribed({ isCanceled: true, taxes: ['7in'] }),
  'service-periods': invoice({ items: [{ ...HOURS, period_start: 1_800_000_000, period_end: 1_802_592_000 }] }),
  'shipping-address': invoice({ ship_to: { name: 'Lager', city: 'Lyon', country: 'FR' } }),
  yen: invoice({ currency: 'jpy', items: [{ unit_cost: 1234 }, { unit_cost: 0.333 }] }),
  'yen-partly-paid': then({ currency: 'jpy' }, (shop, of) => shop.pay(of, 57)),
  dollars: then({ currency: 'usd' }, (shop, of) => shop.pay(of, 0.07)),
  greek: invoice({ seller: 'greek' }),
  'arabic-with-logo': invoice({
    seller: 'greek',
    buyer: 'arabic',
    items: [HOURS, { name: 'رسوم', unit_cost: 100, taxable: false }],
  }),
  hostile: invoice({ buyer: 'hostile', items: [{ ...HOURS, ...LONG }], notes: '<!DOCTYPE x>', purchase_order: ']]>' }),
};
