import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LATEST } from '../../billing/time/calendar.ts';
import { openDatabase } from '../../db/database.ts';
import { plainReader } from '../../db/queries/kernel/plain.ts';
import { Note } from '../../db/schema/note.ts';

/** Reads notes; needs no connection. */
async function noteReader() {
  const urls = { app: 'postgres://localhost/none', system: 'postgres://localhost/none' };
  const orm = openDatabase({ urls, poolSize: 1 });
  const read = plainReader(orm.em, Note);
  await orm.close();
  return read;
}

const raw = {
  account_id: 1,
  id: 7,
  customer_id: 3,
  invoice_id: null,
  user_id: null,
  notes: 'Called',
  event_count: 1,
  created_at: '2027-03-01 08:09:10.5+00',
  updated_at: '2027-12-31 23:59:59+00',
};

test('a plain row has values, ids of its references and times; a column that the row class lacks is left out', async () => {
  const read = await noteReader();
  expect(read({ ...raw, shown_theme: {} })).toEqual({
    accountId: 1,
    id: 7,
    customer: { id: 3 },
    invoice: null,
    userId: null,
    notes: 'Called',
    eventCount: 1,
    createdAt: new Date('2027-03-01T08:09:10.500Z'),
    updatedAt: new Date('2027-12-31T23:59:59Z'),
  });
});

test('a plain row has the time that its text says, to the millisecond; PostgreSQL leaves out trailing zeros', async () => {
  const read = await noteReader();
  const times = fc.date({ min: new Date(0), max: new Date(LATEST), noInvalidDate: true });
  const property = fc.property(times, fc.integer({ min: 0, max: 999 }), (time, microseconds) => {
    const [day, second] = time.toISOString().slice(0, 19).split('T');
    const fraction = `${time.getUTCMilliseconds() * 1000 + microseconds}`.padStart(6, '0').replace(/0+$/, '');
    const text = `${day} ${second}${fraction && `.${fraction}`}+00`;
    expect(read({ ...raw, created_at: text }).createdAt).toEqual(time);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('a time in another time zone is refused, because it would be read as another time', async () => {
  const read = await noteReader();
  expect(() => read({ ...raw, created_at: '2027-03-01 10:09:10.5+02' })).toThrow(
    'the session does not write times in UTC',
  );
});
