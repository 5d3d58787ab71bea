import { type Attack, repeat } from '../attack.ts';
import { hostileText } from './hostile.ts';

const ADDRESSES: readonly [string, ...string[]] = [
  'a@attacker.example\r\nBcc: all@attacker.example',
  '"<script>"@attacker.example',
  'a@xn--\u202Eattacker.example',
  `${'a'.repeat(64)}@${'b.'.repeat(90)}example`,
  'a@[127.0.0.1]',
  'postmaster',
  'x@attacker.example, y@attacker.example',
  'ünï@attacker.example',
  'a@b@attacker.example',
  '<a@attacker.example>',
  'a@attacker.example;b@attacker.example',
  'fine@attacker.example',
];

const hostile: Attack = {
  name: 'hostile addresses',
  tries: 'injects headers through addresses, names, subjects and bcc',
  run: async (at) => {
    const customer = await at.customer();
    const made = await at.call('POST', '/invoices', { body: { customer, items: [{ name: 'x', unit_cost: 1 }] } });
    await repeat(at, { times: 20, width: 3 }, async () => {
      const email = at.random.pick(ADDRESSES);
      const words = { subject: hostileText(at.random), message: hostileText(at.random, 4000) };
      const to = [{ name: hostileText(at.random), email }];
      await at.call('POST', `/invoices/${made.json?.id}/emails`, {
        body: { to, bcc: at.random.pick(ADDRESSES), ...words },
      });
      await at.call('POST', '/customers', { body: { name: 'Addressed', email } });
    });
  },
};

const masses: Attack = {
  name: 'mass mail',
  tries: 'thousands of mails with a PDF: 20 recipients and 20 bcc per request, a customer with 100 primary contacts',
  run: async (at) => {
    const customer = await at.customer({ email: 'head@attacker.example' });
    await repeat(at, { times: 100, width: 5 }, (n) =>
      at.call('POST', `/customers/${customer}/contacts`, {
        body: { name: `C${n}`, email: `c${n}@attacker.example`, primary: true },
      }),
    );
    const to = Array.from({ length: 20 }, (_, n) => ({ name: `P${n}`, email: `p${n}@attacker.example` }));
    const bcc = Array.from({ length: 20 }, (_, n) => `b${n}@attacker.example`).join(',');
    await repeat(at, { times: 60, width: 4 }, async (n) => {
      const made = await at.call('POST', '/invoices', { body: { customer, items: [{ name: 'x', unit_cost: 1 }] } });
      const path = `/invoices/${made.json?.id}/emails`;
      await at.call('POST', path, { body: n % 2 ? { to, bcc } : { message: 'm'.repeat(9000) }, key: n });
    });
  },
};

export const mails: readonly Attack[] = [hostile, masses];
