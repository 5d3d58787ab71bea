import type { Client, TestApi } from './api.ts';
import { upload } from './upload.ts';

/** What a tenant writes who attacks those that look at it: scripts, forms, redirects, frames and links that leave their frame. */
export const HOSTILE = `<script>document.title='ran'</script><img src=x onerror="document.title='ran'"><svg onload="document.title='ran'"></svg>
<meta http-equiv="refresh" content="0;url=https://evil.example/refreshed"><base href="https://evil.example/">
<form action="https://evil.example/sent" target="_top"><button id="send">Send</button></form>
<iframe src="https://evil.example/framed"></iframe><a href="https://evil.example/left" target="_top">Leave</a>
<a href="javascript:document.title='ran'">Run</a>`;

/** What of it a template of mails accepts: all that is left to a tenant. */
const ACCEPTED = `<a href="https://evil.example/left" target="_top">Leave</a><a href="{{invoice.url}}">Pay</a>
<img src="https://evil.example/pixel.png"><p style="position:fixed;color:#111111">Hello {{recipient.name}} of {{seller.name}}</p>`;

export interface HostileShop {
  invoice: { id: number; url: string; payment_url: string };
  estimate: { id: number; url: string };
  theme: number;
  /** An uploaded page. */
  file: { id: number; url: string };
}

/** A business that writes hostile HTML wherever it can write. */
export async function hostileShop(api: TestApi, client: Client): Promise<HostileShop> {
  await client.patch('/account', { name: HOSTILE.slice(0, 200), footer: HOSTILE });
  const { id: customer } = await client.make('/customers', { name: HOSTILE.slice(0, 200), email: 'ada@example.com' });
  const items = [{ name: HOSTILE.slice(0, 200), description: HOSTILE, unit_cost: 9 }];
  const invoice = await client.make('/invoices', { customer, items, notes: HOSTILE });
  const estimate = await client.make('/estimates', { customer, items, notes: HOSTILE });
  const { id: theme } = await client.make('/themes', { name: 'Hostile', footer: HOSTILE });
  const written = await client.patch('/email_templates/new_invoice_email-en', { html: ACCEPTED });
  if (written.status !== 200) throw new Error(`the template was answered with ${JSON.stringify(written.body)}`);
  const parts = [{ name: 'file', filename: 'page.html', type: 'text/html', content: HOSTILE }];
  const file = (await upload({ url: client.url, key: client.key }, parts)).body;
  await client.patch(`/invoices/${invoice.id}`, { attachments: [file.id] });
  if (api.faults.length > 0) throw new Error('the shop could not be opened');
  return { invoice, estimate, theme, file };
}
