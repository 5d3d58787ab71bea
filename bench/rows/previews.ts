import type { Sql } from '../../db/queries/kernel/sql.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, loadWithCpu } from '../load.ts';
import { addCustomers } from '../sampleData.ts';
import { send } from '../send.ts';
import type { Stage } from '../stage.ts';

const CLIENTS = 2;
const SECONDS = 5;

/** A kind of preview. `cpu`: milliseconds of CPU of all processes per request. */
interface Previewed {
  what: string;
  load: Load;
  cpu: number;
}

export interface PreviewsMeasured {
  clients: number;
  previews: Previewed[];
}

/** Previews of themes, PDF templates and email templates, and dry runs of invoices, one kind after another. */
export async function measurePreviews(stage: Stage, sql: Sql): Promise<PreviewsMeasured> {
  const { first: customer } = await addCustomers(sql, { count: 1, autopay: false });
  const items = [{ name: 'Support', quantity: 1, unit_cost: 100 }];
  const invoice = await send(stage, 'POST /invoices', { customer, items });
  const theme = await send(stage, 'POST /themes', { name: 'Plum', accent_color: '#4a044e' });
  const html = '<p>Dear {{recipient.name}}, please pay {{invoice.balance}}.</p>';
  const mail = '/email_templates/new_invoice_email-en/preview';
  const pdf = { accept: 'application/pdf' };
  const kinds: Kind[] = [
    { what: '`POST /themes/:id/preview`, page and mail', path: `/themes/${theme.id}/preview`, body: {} },
    { what: 'the same, PDF', path: `/themes/${theme.id}/preview`, body: {}, headers: pdf },
    { what: '`POST /pdf_templates/:id/preview`', path: '/pdf_templates/invoice/preview', body: {}, headers: pdf },
    { what: '`POST /email_templates/:id/preview`, a sample', path: mail, body: { html } },
    { what: 'the same, of an invoice', path: mail, body: { html, object: { type: 'invoice', id: invoice.id } } },
  ];
  const tried = (lines: number) => ({
    customer,
    items: Array.from({ length: lines }, (_, place) => ({ name: `Support ${place}`, quantity: 2, unit_cost: 1.5 })),
  });
  for (const lines of [20, 1000]) {
    const [path, body] = ['/invoices?dry_run=true', tried(lines)];
    kinds.push({ what: `\`POST ${path}\`, ${lines.toLocaleString('en')} lines`, path, body });
    kinds.push({ what: 'the same, with its picture', path: `${path}&picture=true`, body });
  }
  const previews: Previewed[] = [];
  for (const kind of kinds) previews.push(await measured(stage, kind));
  return { clients: CLIENTS, previews };
}

interface Kind {
  what: string;
  path: string;
  body: object;
  headers?: Record<string, string>;
}

async function measured(stage: Stage, { what, path, body, headers }: Kind): Promise<Previewed> {
  const request = {
    method: 'POST' as const,
    path: `/sandbox/api${path}`,
    headers: { ...headersOf(stage), ...headers },
    body: JSON.stringify(body),
  };
  const pids = [stage.postgres.pid, stage.temporal.pid, stage.api.pid, stage.worker.pid];
  const options = { origin: stage.origin, clients: CLIENTS, warmUpSeconds: 2, seconds: SECONDS };
  const { load, cpuEach: cpu } = await loadWithCpu({ ...options, request: () => request }, pids);
  return { what, load, cpu };
}
