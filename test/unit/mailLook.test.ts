import { expect, test } from '@jest/globals';
import { contrast } from '../../billing/look/colour.ts';
import { lookOf, paletteOf, type ThemeLook } from '../../billing/look/theme.ts';
import { logoIn } from '../../present/emails/brand.ts';
import { invoiceEmail } from '../../present/emails/invoice.ts';
import { paymentFailedEmail } from '../../present/emails/paymentFailed.ts';
import { colors } from '../../present/emails/style.ts';

const seller = {
  name: 'Acme',
  language: 'en',
  country: 'DE',
  timeZone: 'UTC',
  address1: 'Main Street 1',
  city: 'Munich',
  postalCode: '80331',
  accentColor: '#ffd700',
  logoHash: 'a'.repeat(64),
  environment: 'sandbox' as const,
  email: 'books@acme.example',
  replyTo: 'help@acme.example',
};
const invoice = {
  accountId: 1,
  id: 7,
  token: 'secret',
  number: 'INV-7',
  currency: 'usd',
  timeZone: 'UTC',
  date: new Date('2027-01-05'),
  dueAt: new Date('2027-02-05'),
  balance: '60.00',
  total: '60.00',
  closed: false,
  discounts: [],
  taxes: [],
} as never;
const customer = { name: 'Ada', number: 'CUST-1', language: null, country: null };
const line = {
  name: 'Gold plan',
  description: null,
  amount: '5.00',
  quantity: '1',
  unitCost: '5',
  discounts: [],
  taxes: [],
};
const invoiceMail = (change: object = {}, lines: object[] = [line], shownTheme: ThemeLook | null = null) =>
  invoiceEmail({
    seller: { ...seller, ...change },
    customer: { ...customer, shownTheme } as never,
    invoice,
    early: null,
    template: 'new_invoice_email',
    to: { name: 'Ada' },
    subject: null,
    message: null,
    links: [],
    lines: lines as never,
    ask: null,
  });

test('a mail has the logo, the readable accent, lines, preheader, address, and says that it is a test', () => {
  const { html, text } = invoiceMail();
  expect(logoIn(html)).toBe('a'.repeat(64));
  expect(html).not.toContain('#ffd700'); // white on gold has too little contrast
  expect(html).toMatch(/<td class="button" bgcolor="#[0-9a-f]{6}" style="background:#[0-9a-f]{6};[^"]*"><a href/);
  expect(html).toMatch(/<div style="display:none[^"]*">US\$60\.00 · Hello Ada/);
  expect(html).toContain('prefers-color-scheme:dark');
  for (const part of [html, text])
    for (const shown of ['Gold plan', '$5.00', 'Main Street 1, 80331 Munich', 'This is a test document'])
      expect(part).toContain(shown);
  // In the dark, the logo keeps the ground of the light sheet.
  expect(html).toContain('class="logo"');
  expect(html).toMatch(/prefers-color-scheme:dark.*\.logo\{background:#ffffff!important/);
  const plain = invoiceMail({ logoHash: null, environment: 'live', accentColor: null });
  expect(logoIn(plain.html)).toBeNull();
  expect(plain.html).not.toContain('.logo{');
  expect(plain.text).not.toContain('test');
});

test('a button as dark as the sheet has a border in the dark scheme, and an amount does not wrap', () => {
  const { html } = invoiceMail({ accentColor: colors.sheet.dark });
  expect(html).toContain(`.button{border-color:${colors.quiet.dark}!important}`);
  expect(html).toContain(`<td class="button" bgcolor="${colors.sheet.dark}"`);
  expect(html).toMatch(/white-space:nowrap">US\$60\.00</);
});

test.each(['light', 'dark'] as const)(
  'a themed button like the sheet has a quiet border in the %s scheme',
  (scheme) => {
    const palettes = (accent: string) => {
      const colours = { backgroundColor: '#fffbeb', accentColor: accent, darkBackgroundColor: '#1c1917' };
      const theme = lookOf({ ...colours, darkAccentColor: accent, font: 'inter', corners: 'round' });
      return { theme, palette: paletteOf(theme, scheme) };
    };
    const edge = (accent: string) => {
      const { html } = invoiceMail({}, [line], palettes(accent).theme);
      const border =
        scheme === 'light' ? /border:1px solid (#\w+);border-radius/ : /\.button{[^}]*border-color:(#\w+)!/;
      return html.match(border)?.[1];
    };
    const like = scheme === 'light' ? '#fffbeb' : '#1c1917';
    expect(edge(like)).toBe(palettes(like).palette.quiet);
    expect(contrast(String(edge(like)), like)).toBeGreaterThan(3);
    expect(edge('#dc2626')).toBe('#dc2626'); // 4.66 on #fffbeb, 3.62 on #1c1917
  },
);

test('a mail lists ten lines of an invoice and counts the others', () => {
  const { text } = invoiceMail(
    {},
    Array.from({ length: 12 }, () => line),
  );
  expect(text.match(/Gold plan/g)).toHaveLength(10);
  expect(text).toContain('Further lines: 2');
});

test('a failure mail says the reason once, and links to update, to pay, and to a person', () => {
  const { html, text } = paymentFailedEmail({
    seller,
    customer: customer as never,
    invoice,
    source: null,
    fallback: null,
    decline: { code: 'own_rule', message: 'the card is stolen' },
    needsCustomer: false,
    links: { source: 'https://b.example/source', pay: 'https://b.example/pay' },
  });
  expect(text.match(/the card is stolen/g)).toHaveLength(1);
  for (const href of ['https://b.example/source', 'https://b.example/pay', 'mailto:help@acme.example?subject=INV-7'])
    expect(html).toContain(`href="${href}"`);
});

test('names with markup, directions and many characters stay text', () => {
  const evil = `<img src="cid:logo-${'b'.repeat(64)}">\u202e${'x'.repeat(10_000)}`;
  const { html, text } = invoiceMail({ name: evil, address1: evil, replyTo: 'a"b@c.example' }, [
    { ...line, name: evil },
  ]);
  expect(logoIn(html)).toBe('a'.repeat(64));
  expect(html).not.toMatch(/<img src="cid:logo-b|\u202e/);
  expect(text).not.toContain('\u202e');
});

/** Relative luminance of #rrggbb (WCAG 2.1). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(['light', 'dark'] as const)('every text of a mail in %s colours has a contrast of at least 4.5', (scheme) => {
  for (const [name, text] of Object.entries(colors)) {
    if (['page', 'sheet', 'rule'].includes(name)) continue;
    for (const under of [colors.page, colors.sheet]) {
      const [low = 0, high = 0] = [luminance(text[scheme]), luminance(under[scheme])].sort((one, other) => one - other);
      expect({ name, contrast: (high + 0.05) / (low + 0.05) >= 4.5 }).toEqual({ name, contrast: true });
    }
  }
});
