import { expect, test } from '@jest/globals';
import { printAudit } from '../../../bin/audit.ts';
import { APRIL, dayOf2027 as day, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

const metered = meteredSubscriptions();
const { advanceTo, begin, expectCleanBooks, invoices, moveTo, report } = metered;

async function audited(...args: string[]): Promise<{ code: number; notes: string[]; last: string | undefined }> {
  const lines: string[] = [];
  const code = await printAudit(metered.api.databaseUrl, args, (line) => lines.push(line));
  return { code, notes: lines.filter((line) => line.startsWith('note: ')), last: lines.at(-1) };
}

/** A correction of -8 of March's 8 calls, as an earlier version stored it. Returns the invoice that has it. */
async function correctByOldRule(body: object): Promise<string> {
  const id = await begin({ plan: 'calls', bill_in: 'arrears', ...body });
  moveTo(day(3, 20));
  await report(id, 8, day(3, 10));
  await advanceTo(id, APRIL);
  await report(id, -8, day(3, 10));
  await advanceTo(id, MAY);
  await metered.api.em.fork().execute('update usage_total set billed = null, terms = null');
  return (await invoices(id)).at(-1)?.number;
}

test('the audit names bills with a correction of usage by the rule of earlier versions; it is no drift', async () => {
  await metered.api.sandbox.make('/coupons', { id: 'half', name: 'Half', value: 50, duration: 1 });
  await correctByOldRule({}); // both rules have the same result
  expect(await audited()).toMatchObject({ code: 0, notes: [] });
  const number = await correctByOldRule({ discounts: ['half'] });
  const { code, notes, last } = await audited();
  expect(notes).toEqual([
    expect.stringMatching(new RegExp(`^note: account \\d+, invoice ${number}: its correction of usage .*; -2.0000$`)),
  ]);
  expect([code, last]).toEqual([0, expect.stringContaining('Books are clean')]);
  expect((await audited('--since', '2027-01-01T00:00:00Z')).notes).toEqual(notes);
  expect(await audited('--since', '2030-01-01T00:00:00Z')).toMatchObject({ code: 0, notes: [] });
  await expectCleanBooks();
});

test('the audit names late usage by the rule of earlier versions of a period that no invoice took, while its subscription had a coupon', async () => {
  await metered.api.sandbox.make('/coupons', { id: 'once', name: 'Once', value: 50, duration: 1 });
  for (const [discounts, names] of [
    [[], false],
    [['once'], true],
  ] as const) {
    const id = await begin({ plan: 'calls', bill_in: 'arrears', discounts });
    await advanceTo(id, APRIL); // nothing was used in March
    await report(id, 8, day(3, 10));
    await advanceTo(id, MAY);
    await metered.api.em.fork().execute('update usage_total set billed = null, terms = null');
    const number = (await invoices(id)).at(-1)?.number;
    const { notes } = await audited();
    expect(notes.some((note) => note.includes(`invoice ${number}:`))).toBe(names);
  }
});
