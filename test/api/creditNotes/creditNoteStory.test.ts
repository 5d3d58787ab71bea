import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findNamed, readTimeline } from '../../../db/queries/events/explanation.ts';
import { readNoteFacts } from '../../../db/queries/events/noteExplanation.ts';
import { explainCreditNote } from '../../../present/explanations/creditNote.ts';
import { connect } from '../../../workers/connection.ts';
import { basic } from '../../support/api.ts';
import { byNote, type Credits, cash, noteToBalance, spend, startCredits } from '../../support/credits.ts';
import { readPdf } from '../../support/readPdf.ts';
import { textOf } from '../../support/shownTotals.ts';

/** Page, PDF, mail, statement and explanation of a credit note say the same of what became of it. */

let on: Credits;
beforeAll(async () => {
  on = await startCredits();
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
});
afterAll(() => on.api.close());
beforeEach(async () => {
  await on.begin();
  await on.api.sandbox.patch(`/customers/${on.customer}`, { email: 'payer@example.com' });
});

interface Note {
  id: number;
  url: string;
  pdf_url: string;
}

const plain = (text: string) => text.replace(/\s+/g, ' ');
const visit = (address: string) => fetch(address.replace('https://billing.example', on.api.origin));
const pdfText = async (answer: Response) => (await readPdf(new Uint8Array(await answer.arrayBuffer()))).text;

/** What each reader is told of a credit note. */
async function toldEverywhere({ id, url, pdf_url }: Note): Promise<Record<string, string>> {
  const { sandbox } = on.api;
  const [mail] = (await sandbox.post(`/credit_notes/${id}/emails`)).body;
  const [kept] = await on.rows('select text, html from email where id = ?', [mail.id]);
  const statement = await fetch(`${sandbox.url}/customers/${on.customer}/statement`, {
    headers: { ...basic(sandbox.key), Accept: 'application/pdf' },
  });
  const connection = await connect(on.api.databaseUrl);
  try {
    const [named] = await findNamed(connection, 'credit_note', { name: String(id), accountId: sandbox.account.id });
    if (!named) throw new Error(`no credit note ${id}`);
    expect(await readTimeline(connection, 'credit_note', named)).not.toEqual([]);
    const told = {
      page: textOf(await (await visit(url)).text()),
      pdf: await pdfText(await visit(pdf_url)),
      mail: String(kept?.text),
      html: textOf(String(kept?.html)),
      statement: await pdfText(statement),
      explanation: explainCreditNote(await readNoteFacts(connection, named)).join('\n'),
    };
    return Object.fromEntries(Object.entries(told).map(([where, text]) => [where, plain(text)]));
  } finally {
    await connection.close();
  }
}

/** Expects that everyone is told these sentences, and papers and mails that `available` is left. */
async function expectTold(note: Note, sentences: readonly string[], available: string | null): Promise<void> {
  const told = await toldEverywhere(note);
  for (const [where, text] of Object.entries(told)) {
    expect([where, ...sentences.filter((sentence) => !text.includes(sentence))]).toEqual([where]);
    const isPaper = ['page', 'pdf', 'mail', 'html'].includes(where);
    if (available && isPaper) expect([where, text]).toEqual([where, expect.stringContaining('Still available')]);
    if (available && isPaper) expect([where, text]).toEqual([where, expect.stringContaining(available)]);
    expect(text).not.toContain('All of it has been applied');
  }
  await on.expectCleanBooks();
}

test('a part pays the invoice, the rest is credit, which pays the next invoices', async () => {
  const invoice = await on.invoice(100);
  await on.pay(58.31, [cash(invoice, 58.31)]);
  const { number } = await on.readInvoice(invoice);
  const { body: note } = await on.note(100, { invoice });
  const paid = `$41.69 was applied to invoice ${number}.`;
  await expectTold(note, [paid, '$58.31 was added to your credit; it pays your open or next invoices.'], '$58.31');
  const next = await on.readInvoice(await on.invoice(20));
  expect(next).toMatchObject({ balance: 0 });
  const spent = `$20.00 of it has paid invoice ${next.number}.`;
  const left = '$38.31 is left in your credit; it pays your open or next invoices.';
  await expectTold(note, [paid, '$58.31 was added to your credit.', spent, left], '$38.31');
  await on.adjust(-8.31);
  const last = await on.readInvoice(await on.invoice(500));
  const more = [`$30.00 of it has paid invoice ${last.number}.`, '$8.31 has been used otherwise.'];
  await expectTold(note, [paid, spent, ...more, 'Nothing of it is left.'], '$0.00');
});

test('older credit is used first, also if it came as a credit note; a removed use is told no more', async () => {
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
  const old = await on.note(30);
  await on.adjust(10);
  await on.pay(30, [noteToBalance(old.body.id, 30)]);
  const invoice = await on.invoice(40);
  await on.pay(40, [cash(invoice, 40)]);
  const { body: note } = await on.note(40, { invoice });
  await expectTold(note, ['$40.00 was added to your credit.'], '$40.00');
  const other = await on.invoice(70);
  const { number } = await on.readInvoice(other);
  const payment = await on.pay(60, [spend(other, 60)]);
  await expectTold(old.body, [`$30.00 of it has paid invoice ${number}.`, 'Nothing of it is left.'], '$0.00');
  await expectTold(note, [`$20.00 of it has paid invoice ${number}.`, '$20.00 is left in your credit.'], '$20.00');
  expect((await on.api.sandbox.delete(`/payments/${payment.body.id}`)).status).toBe(200);
  await expectTold(note, ['$40.00 was added to your credit.'], '$40.00');
  expect(Object.values(await toldEverywhere(note)).filter((text) => text.includes(`invoice ${number}`))).toEqual([]);
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
});

test('one without an invoice is open, then applied; what is forfeited has lapsed', async () => {
  const { body: note } = await on.note(50);
  await expectTold(note, ['It can pay your invoices.'], null);
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
  const invoice = await on.invoice(20);
  await on.pay(20, [byNote(note.id, invoice, 20)]);
  const { number } = await on.readInvoice(invoice);
  const paid = `$20.00 was applied to invoice ${number}.`;
  await expectTold(note, [paid, '$30.00 of this credit note is not applied yet; it can pay other invoices.'], '$30.00');
  await on.api.sandbox.patch(`/credit_notes/${note.id}`, { closed: true });
  await expectTold(note, [paid, '$30.00 was not used and has lapsed.'], '$0.00');
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
});

test('a forced credit note tells what was added beyond it', async () => {
  const invoice = await on.invoice(20);
  const { number } = await on.readInvoice(invoice);
  const { body: note } = await on.note(50, { invoice, force: true, reason: 'Goodwill' });
  const sentences = [`$20.00 was applied to invoice ${number}.`, 'In addition, $30.00 was added to your credit.'];
  await expectTold(note, sentences, '$0.00');
  const entries = (await on.api.sandbox.get(`/credit_notes/${note.id}/timeline`)).body;
  const types = entries.map(({ rule }: { rule: string }) => rule);
  expect(types).toEqual(expect.arrayContaining(['credit_note.created', 'payment.created']));
  expect(types.filter((type: string) => type.startsWith('credit_balance_adjustment.'))).toHaveLength(1);
});
