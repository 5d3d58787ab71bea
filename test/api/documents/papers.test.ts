import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findPrintable } from '../../../commands/documents/printing.ts';
import { withAccount } from '../../../db/tenant.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { paperSales } from '../../support/paperSales.ts';
import { PaperShop } from '../../support/papers.ts';
import { Rational } from '../../support/rational.ts';
import { type Element, parseXml } from '../../support/xml.ts';

/** The XML of documents of the API: digits, sums and the order of its elements. `test:extra` gives the same documents to validators. */

let api: TestApi;
let shop: PaperShop;

beforeAll(async () => {
  api = await startApi();
  shop = await PaperShop.open(api);
});
afterAll(() => api.close());

/** The children of elements in the order of the schema (Factur-X, profile EN 16931), by a part of the name of their parent. */
const ORDER: [parent: RegExp, children: string][] = [
  [/^ExchangedDocument$/, 'ID TypeCode IssueDateTime IncludedNote'],
  [
    /^SupplyChainTradeTransaction$/,
    'IncludedSupplyChainTradeLineItem ApplicableHeaderTradeAgreement ApplicableHeaderTradeDelivery ApplicableHeaderTradeSettlement',
  ],
  [
    /^IncludedSupplyChainTradeLineItem$/,
    'AssociatedDocumentLineDocument SpecifiedTradeProduct SpecifiedLineTradeAgreement SpecifiedLineTradeDelivery SpecifiedLineTradeSettlement',
  ],
  [/^SpecifiedTradeProduct$/, 'Name Description'],
  [/^NetPriceProductTradePrice$/, 'ChargeAmount BasisQuantity'],
  [
    /^SpecifiedLineTradeSettlement$/,
    'ApplicableTradeTax BillingSpecifiedPeriod SpecifiedTradeAllowanceCharge SpecifiedTradeSettlementLineMonetarySummation',
  ],
  [
    /^ApplicableTradeTax$/,
    'CalculatedAmount TypeCode ExemptionReason BasisAmount CategoryCode ExemptionReasonCode RateApplicablePercent',
  ],
  [/^SpecifiedTradeAllowanceCharge$/, 'ChargeIndicator ActualAmount ReasonCode Reason'],
  [/HeaderTradeAgreement$/, 'BuyerReference SellerTradeParty BuyerTradeParty BuyerOrderReferencedDocument'],
  [
    /HeaderTradeSettlement$/,
    'PaymentReference InvoiceCurrencyCode SpecifiedTradeSettlementPaymentMeans ApplicableTradeTax BillingSpecifiedPeriod SpecifiedTradePaymentTerms SpecifiedTradeSettlementHeaderMonetarySummation InvoiceReferencedDocument',
  ],
  [/TradeParty$/, 'ID Name PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration'],
  [/^PostalTradeAddress$/, 'PostcodeCode LineOne LineTwo CityName CountryID CountrySubDivisionName'],
  [/^SpecifiedTradePaymentTerms$/, 'Description DueDateDateTime'],
  [
    /HeaderMonetarySummation$/,
    'LineTotalAmount TaxBasisTotalAmount TaxTotalAmount GrandTotalAmount TotalPrepaidAmount DuePayableAmount',
  ],
  [/PaymentMeans$/, 'TypeCode PayeePartyCreditorFinancialAccount PayeeSpecifiedCreditorFinancialInstitution'],
  [/CreditorFinancialAccount$/, 'IBANID AccountName'],
  [/BillingSpecifiedPeriod$/, 'StartDateTime EndDateTime'],
];

/** Elements with other children than the schema orders: the name of the parent and its children. */
function disordered({ name, children }: Element): string[] {
  const order = ORDER.find(([parent]) => parent.test(name))?.[1].split(' ');
  const names = children.map((child) => child.name);
  const places = names.map((child) => order?.indexOf(child) ?? 0);
  const isOrdered = places.every((place, index) => place >= 0 && place >= (places[index - 1] ?? 0));
  return [...(isOrdered ? [] : [`${name}: ${names.join(' ')}`]), ...children.flatMap(disordered)];
}

const all = (root: Element, name: string): Element[] =>
  root.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
const one = (root: Element, name: string): Element => {
  const [found, ...more] = all(root, name);
  if (!found || more.length > 0) throw new Error(`${more.length + 1} elements ${name}`);
  return found;
};
const textsOf = (root: Element, name: string): string[] => all(root, name).map(({ text }) => text);
const sum = (texts: readonly string[]): Rational => Rational.sum(texts.map(Rational.of));
const isEqual = (left: Rational, right: Rational): boolean => left.compare(right) === 0;

const AMOUNTS =
  /^(LineTotalAmount|ActualAmount|CalculatedAmount|BasisAmount|TaxBasisTotalAmount|TaxTotalAmount|GrandTotalAmount|TotalPrepaidAmount|DuePayableAmount)$/;
const amountsOf = ({ name, text, children }: Element): string[] => [
  ...(AMOUNTS.test(name) ? [text] : []),
  ...children.flatMap(amountsOf),
];

test.each(Object.keys(paperSales))('the XML of %s has the digits, sums and order of the standard', async (name) => {
  const paper = await paperSales[name]?.(shop);
  if (!paper) throw new Error(`nothing is sold as ${name}`);
  const xml = parseXml((await shop.read(paper, 'xml')).toString());
  expect(disordered(xml)).toEqual([]);
  const digits = one(xml, 'InvoiceCurrencyCode').text === 'JPY' ? /^-?\d+$/ : /^-?\d+\.\d\d$/;
  expect(amountsOf(xml).filter((amount) => !digits.test(amount))).toEqual([]);
  const sums = one(xml, 'SpecifiedTradeSettlementHeaderMonetarySummation');
  const value = (of: string) => Rational.of(one(sums, of).text);
  const lines = all(xml, 'IncludedSupplyChainTradeLineItem');
  const rates = one(xml, 'ApplicableHeaderTradeSettlement').children.filter((of) => of.name === 'ApplicableTradeTax');
  expect(isEqual(sum(lines.flatMap((line) => textsOf(line, 'LineTotalAmount'))), value('LineTotalAmount'))).toBe(true);
  expect(isEqual(sum(rates.flatMap((rate) => textsOf(rate, 'BasisAmount'))), value('TaxBasisTotalAmount'))).toBe(true);
  expect(isEqual(sum(rates.flatMap((rate) => textsOf(rate, 'CalculatedAmount'))), value('TaxTotalAmount'))).toBe(true);
  const total = value('GrandTotalAmount');
  expect(isEqual(Rational.sum([value('TaxBasisTotalAmount'), value('TaxTotalAmount')]), total)).toBe(true);
  expect(isEqual(Rational.sum([value('TotalPrepaidAmount'), value('DuePayableAmount')]), total)).toBe(true);
  // What the API says.
  const { body } = await shop.client(paper.seller).get(paper.path);
  expect(isEqual(total, Rational.of(`${body.total}`))).toBe(true);
  expect(isEqual(value('DuePayableAmount'), Rational.of(`${body.balance}`))).toBe(true);
  // BR-CO-25: what is owed has a due date or terms.
  if (body.balance > 0) expect(all(xml, 'SpecifiedTradePaymentTerms')).toHaveLength(1);
});

/** The amount of the QR code on the page of an invoice. */
async function codeOf(invoice: { id: number; total: number }, paid: number): Promise<string | undefined> {
  await shop.pay(invoice, paid);
  const printable = await withAccount(api.sandbox.account.id, () =>
    findPrintable(api.deps.em, { account: api.sandbox.account, type: 'invoice', id: invoice.id }, new Date()),
  );
  return (await printable?.print())?.transfer?.code?.content.split('\n')[7];
}

test('the QR code of an invoice that was paid in part states euros with two decimals', async () => {
  expect(await codeOf(await shop.invoice({ taxes: [], items: [{ unit_cost: 3000 }] }), 33.33)).toBe('EUR2966.67');
  expect(await codeOf(await shop.invoice({ currency: 'usd', items: [{ unit_cost: 3000 }] }), 33.33)).toBeUndefined();
});

test('amounts of an invoice that was paid in part and credited', async () => {
  const sale = { taxes: ['19'], items: [{ name: 'One', unit_cost: 100 }] };
  const sold = await shop.invoice(sale);
  const due = async () => {
    const xml = parseXml((await shop.read({ path: `/invoices/${sold.id}`, seller: 'company' }, 'xml')).toString());
    return ['TotalPrepaidAmount', 'DuePayableAmount'].map((name) => one(xml, name).text);
  };
  expect(await due()).toEqual(['0.00', '119.00']);
  await shop.pay(sold, 19);
  await shop.note(sold, { taxes: ['19'], items: [{ name: 'One', unit_cost: 50 }] });
  expect(await due()).toEqual(['78.50', '40.50']); // 19 + 50 x 1.19
});
