import { basic, type Client, successBody, type TestApi } from './api.ts';
import { logoPng } from './logo.ts';
import { upload } from './upload.ts';

/** The sellers: without a VAT number, in Greece with a logo, and one without terms, whose invoices carry their early-payment discount. */
export type Seller = 'company' | 'smallBusiness' | 'greek' | 'discounter';

const MUELLER = {
  name: 'Müller & Söhne GmbH',
  email: 'rechnung@mueller.example',
  address1: 'Hauptstraße 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
  currency: 'eur',
  tax_id: 'DE 123 456 789',
  time_zone: 'Europe/Berlin',
  exemption_note: 'Steuerfrei nach § 4 UStG',
  bank_details: [{ currency: 'eur', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
};
const SELLERS: Readonly<Record<Seller, object>> = {
  company: MUELLER,
  smallBusiness: {
    ...MUELLER,
    tax_id: '27/123/45678',
    small_business_note: 'Kein Ausweis von Umsatzsteuer nach § 19 UStG',
    exemption_note: null,
  },
  greek: { ...MUELLER, country: 'GR', tax_id: 'EL123456789', accent_color: '#0f766e' },
  discounter: { ...MUELLER, late_fee_document: 'line', payment_terms: null },
};

const BUYERS = {
  german: { name: 'Schulze KG', address1: 'Ring 2', city: 'Bonn', postal_code: '53111', country: 'DE', language: 'de' },
  austrian: { name: 'Wiener AG', type: 'company', city: 'Wien', country: 'AT', tax_id: 'ATU12345675', language: 'de' },
  arabic: { name: 'شركة المثال', country: 'EG', language: 'ar' },
  exempt: { name: 'Gemeinde', country: 'DE', taxable: false },
  hostile: { name: '<ram:ID>\u202e&"\'{{x}}\u2066', country: 'FR', city: ']]>', tax_id: '<!-- ', email: 'a@b.example' },
} as const;
export type Buyer = keyof typeof BUYERS;

const RATES = [
  { id: '19', name: 'USt', value: 19 },
  { id: '07', name: 'USt ermäßigt', value: 7 },
  { id: '19in', name: 'USt', value: 19, inclusive: true },
  { id: '7in', name: 'USt ermäßigt', value: 7, inclusive: true },
  { id: '5-5', name: 'TVA', value: 5.5 },
  { id: '20', name: 'TVA', value: 20 },
  { id: '00', name: 'USt', value: 0 },
];
const COUPONS = [
  { id: 'ten', name: 'Treue', value: 10 },
  { id: 'third', name: 'Aktion', value: 33.3333 },
  { id: 'free', name: 'Geschenk', value: 100 },
  { id: 'fifty', name: 'Gutschein', value: 50, is_percent: false, currency: 'eur' },
];

/** A document of the API. */
export interface Paper {
  path: string;
  seller: Seller;
}

export interface Sale {
  seller?: Seller;
  buyer?: Buyer;
  [field: string]: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Body = any;

/** Sells through the API of a few sellers with tax rates, coupons and customers. */
export class PaperShop {
  readonly api: TestApi;
  private readonly clients: Readonly<Record<Seller, Client>>;
  private readonly customers: ReadonlyMap<string, number>;

  private constructor(api: TestApi, clients: Readonly<Record<Seller, Client>>, customers: ReadonlyMap<string, number>) {
    this.api = api;
    this.clients = clients;
    this.customers = customers;
  }

  static async open(api: TestApi): Promise<PaperShop> {
    const clients = {
      company: api.sandbox,
      smallBusiness: (await api.open('Small')).live,
      greek: (await api.open('Greek')).sandbox,
      discounter: (await api.open('Discounter')).live,
    };
    const customers = new Map<string, number>();
    for (const [seller, client] of entriesOf(clients)) {
      successBody(await client.patch('/account', SELLERS[seller]));
      await client.make('/plans', { id: 'monthly', name: 'Abo', amount: 33.33, interval: 'month', currency: 'eur' });
      for (const rate of RATES) await client.make('/tax_rates', rate);
      for (const coupon of COUPONS) await client.make('/coupons', coupon);
      await client.make('/tax_rules', { tax_rate: '19', country: 'AT', reverse_charge: true });
      for (const [buyer, customer] of entriesOf(BUYERS)) {
        customers.set(`${seller} ${buyer}`, (await client.make('/customers', customer)).id);
      }
    }
    const logo = [{ name: 'file', filename: 'logo.png', type: 'image/png', content: logoPng() }];
    successBody(await clients.greek.patch('/account', { logo: successBody(await upload(clients.greek, logo)).id }));
    return new PaperShop(api, clients, customers);
  }

  client = (seller: Seller = 'company'): Client => this.clients[seller];
  customer = ({ seller = 'company', buyer = 'german' }: Sale): number =>
    this.customers.get(`${seller} ${buyer}`) ?? Number.NaN;
  make = (path: string, { seller, buyer, ...body }: Sale): Promise<Body> =>
    this.client(seller).make(path, { customer: this.customer({ seller, buyer } as Sale), ...body });
  invoice = (sale: Sale): Promise<Body> => this.make('/invoices', { taxes: ['19'], ...sale });
  note = (of: Body, sale: Sale): Promise<Body> => this.make('/credit_notes', { invoice: of.id, ...sale });
  pay = (invoice: Body, amount: number, sale: Sale = {}): Promise<Body> =>
    this.make('/payments', {
      amount,
      currency: invoice.currency,
      applied_to: [{ type: 'invoice', invoice: invoice.id, amount }],
      ...sale,
    });

  /** A document as PDF or XML. */
  async read({ path, seller }: Paper, type: 'pdf' | 'xml'): Promise<Buffer> {
    const { url, key } = this.client(seller);
    const answer = await fetch(`${url}${path}`, { headers: { ...basic(key), Accept: `application/${type}` } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) throw new Error(`${path} as ${type}: ${answer.status} ${bytes}`);
    return bytes;
  }
}

function entriesOf<Name extends string, Value>(of: Readonly<Record<Name, Value>>): [Name, Value][] {
  return Object.entries(of) as [Name, Value][];
}
