import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { members } from '../../bin/members.ts';
import { createPerson, type Person } from '../support/person.ts';
import { type Product, startProduct } from '../support/product.ts';

/** Mails to people about their sign-in. They belong to no account, and still arrive. */

const EMAIL = 'olivia@acme.example';
const PASSWORD = 'moss-kettle-lantern-44';

let product: Product;
let person: Person;

beforeAll(async () => {
  product = await startProduct();
  person = createPerson({ deps: { publicUrl: product.config.publicUrl }, origin: new URL(product.url).origin });
});
afterAll(() => product.close());

const mailTo = (email: string, subject: RegExp) =>
  product.mailbox.waitFor((mail) => mail.to.includes(email) && subject.test(mail.subject), `${subject} to ${email}`);

test('the code of an invitation whose link was handed over is mailed, and joins with it', async () => {
  const [live] = await product.rows<{ id: number }>("select id from account where environment = 'live'");
  const lines: string[] = [];
  const to = { log: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
  await members(() => product.config, [String(live?.id), 'invite', EMAIL, 'administrator'], to);
  const [url = ''] = /http\S+/.exec(lines.join()) ?? [];
  const { pathname } = new URL(url);
  const asked = await person.send(await person.open(pathname), pathname);
  const mail = await mailTo(EMAIL, /is your code/);
  const [code = ''] = /\d{6}/.exec(mail.subject) ?? [];
  const joined = await person.send(asked, pathname, { name: 'Olivia', password: PASSWORD, code });
  expect(joined.status).toBe(200);
  expect(await product.rows('select status from member where email = ?', [EMAIL])).toEqual([{ status: 'active' }]);
});

test('the link to a new password is mailed, and nothing waits at the end', async () => {
  await person.send(await person.open('/reset'), '/reset', { email: EMAIL });
  expect((await mailTo(EMAIL, /password/i)).text).toContain(`${product.config.publicUrl}/reset/`);
  await product.row('select count(*)::int as waiting from outbox', (row) => Reflect.get(row, 'waiting') === 0);
  expect(await product.audit()).toEqual([]);
});
