import { expect, test } from '@jest/globals';
import { readPhone } from '../../billing/mail/phone.ts';
import { checkProviderOf } from '../../billing/mail/providers.ts';
import {
  checkSmsMessage,
  fillSms,
  isTextHour,
  keywordOf,
  nextTextHour,
  type SmsValues,
  stateAfterReport,
  textBackoff,
  textStates,
} from '../../billing/mail/textMessage.ts';
import { placeOfPerson, zonesOfPlace } from '../../billing/time/placeZones.ts';
import { stateZones } from '../../billing/time/stateZones.ts';

const at = (time: string) => Date.parse(time);
const nextIn = (time: string, ...zones: string[]) => {
  const next = nextTextHour(at(time), zones);
  return next === null ? null : new Date(next).toISOString();
};

test('a text is sent from 8:00 until before 21:00 in its zone', () => {
  const berlin = 'Europe/Berlin'; // UTC+1 in winter, +2 in summer
  expect(nextIn('2027-01-11T06:59:59Z', berlin)).toBe('2027-01-11T07:00:00.000Z');
  expect(nextIn('2027-01-11T07:00:00Z', berlin)).toBe('2027-01-11T07:00:00.000Z');
  expect(nextIn('2027-01-11T19:59:59Z', berlin)).toBe('2027-01-11T19:59:59.000Z'); // 20:59:59
  expect(nextIn('2027-01-11T20:00:00Z', berlin)).toBe('2027-01-12T07:00:00.000Z'); // 21:00
  expect(nextIn('2027-07-12T22:00:00Z', berlin)).toBe('2027-07-13T06:00:00.000Z');
  expect(nextIn('2027-03-27T22:00:00Z', berlin)).toBe('2027-03-28T06:00:00.000Z'); // summer time begins that night
  expect(nextIn('2027-01-11T20:00:00Z', 'Asia/Kathmandu')).toBe('2027-01-12T02:15:00.000Z'); // UTC+5:45
});

test('with several zones it is day in all of them at once; a text without a common hour is never sent', () => {
  const all = zonesOfPlace({ country: 'US', state: null });
  expect(nextIn('2027-01-11T13:00:00Z', ...all)).toBe('2027-01-11T18:00:00.000Z'); // 8:00 in Honolulu and Adak, 13:00 in New York
  expect(nextIn('2027-01-12T02:00:00Z', ...all)).toBe('2027-01-12T18:00:00.000Z'); // 21:00 in New York
  expect(
    nextIn('2027-01-11T12:00:00Z', 'Pacific/Auckland', 'Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles'),
  ).toBe(null);
  expect(nextIn('2027-01-11T12:00:00Z')).toBe(null);
});

test('the next hour is the first instant at which every zone allows it', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Pacific/Apia',
  ];
  const pairs = zones.flatMap((one) => zones.map((other) => [one, other]));
  const start = at('2027-03-13T00:00:00Z');
  for (const pair of pairs)
    for (let hour = 0; hour < 48; hour += 19) {
      const from = start + hour * 3_600_000 + 90_000;
      const next = nextTextHour(from, pair);
      const minutes = Array.from({ length: 27 * 60 }, (_, minute) =>
        minute === 0 ? from : start + hour * 3_600_000 + (minute + 1) * 60_000,
      );
      expect([pair, next]).toEqual([pair, minutes.find((one) => isTextHour(one, pair)) ?? null]);
    }
});

test('a state has its zones, by code or name; any other place has those of its country', () => {
  expect(zonesOfPlace({ country: 'US', state: 'CA' })).toEqual(['America/Los_Angeles']);
  expect(zonesOfPlace({ country: 'US', state: ' california ' })).toEqual(['America/Los_Angeles']);
  expect(zonesOfPlace({ country: 'CA', state: 'Québec' })).toEqual(['America/Toronto', 'America/Puerto_Rico']);
  expect(zonesOfPlace({ country: 'US', state: 'Bavaria' })).toContain('Pacific/Honolulu');
  expect(zonesOfPlace({ country: 'DE', state: 'BY' })).toContain('Europe/Berlin');
  expect(zonesOfPlace({ country: null, state: 'CA' })).toEqual([]);
});

test('every zone of a state exists, and every zone of its country is that of a state at some instant', () => {
  const offsets = (zone: string) =>
    [1, 7].map((month) =>
      new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(Date.UTC(2027, month, 15)),
    );
  for (const [country, states] of Object.entries(stateZones)) {
    const known = new Set(states.flatMap(([, , ...zones]) => zones.map((zone) => offsets(zone).join())));
    expect(states.map(([code]) => code).length).toBe(new Set(states.map(([code]) => code)).size);
    // IANA gives Tokyo's zone to Australia, too, for one observatory.
    for (const zone of zonesOfPlace({ country, state: null }).filter((one) => one !== 'Asia/Tokyo'))
      expect([zone, known.has(offsets(zone).join())]).toEqual([zone, true]);
  }
});

test('the place of a person is its address, else that of its number', () => {
  const none = { country: null, state: null };
  const texas = { country: 'US', state: 'TX' };
  expect(placeOfPerson({ address: texas, numberCountry: 'DE', customer: none })).toEqual(texas);
  expect(placeOfPerson({ address: none, numberCountry: 'US', customer: texas })).toEqual(texas);
  expect(placeOfPerson({ address: none, numberCountry: 'DE', customer: texas })).toEqual({
    country: 'DE',
    state: null,
  });
  expect(placeOfPerson({ address: none, numberCountry: null, customer: texas })).toEqual(none);
});

test.each([
  ['+1 (212) 555-0123', null, '+12125550123', 'US'],
  ['0151 12345678', 'DE', '+4915112345678', 'DE'],
  ['+1 416 555 0123', 'DE', '+14165550123', 'CA'],
  ['0151 12345678', null, null, null],
  ['+1 212 555 0123 ext. 7', 'US', null, null],
  ['12345', 'US', null, null],
  ['call me', 'US', null, null],
  ['\u202e+1 212 555 0123\u0000x'.slice(0, 1), 'US', null, null],
])('the phone %s, written in %s', (text, home, number, country) => {
  expect(readPhone(text, home)).toEqual(number === null ? null : { number, country });
});

const VALUES: SmsValues = {
  account_name: 'Acme',
  customer_name: 'Ann {{amount}}',
  contact_name: 'A'.repeat(500),
  amount: '$120.00',
  invoice_numbers: 'INV-1',
  pay_url: 'https://pay.example/1',
};

test('a template is filled once: values are cut, cleaned, and never read as templates', () => {
  const filled = fillSms('{{ account_name }}: {{customer_name}}, {{amount}} {{pay_url}}', VALUES);
  expect(filled).toBe('Acme: Ann {{amount}}, $120.00 https://pay.example/1');
  expect(fillSms('{{contact_name}}', VALUES)).toBe(`${'A'.repeat(119)}…`);
  expect(fillSms('{{account_name}}', { ...VALUES, account_name: 'A\u202ec\u0000m\ne' })).toBe('Acm e');
});

test.each([
  ['{{amont}}', 'amont'],
  ['{{}}', '{{}}'],
  ['{{constructor}}', 'constructor'],
  ['{{amount}', 'left over'],
  ['amount}}', 'left over'],
  [' \u200b ', 'visible'],
])('the template %s is refused', (message, why) => {
  expect(() => checkSmsMessage(message)).toThrow(why);
});

test.each([
  ['STOP', null, 'stop'],
  ['Stop.', null, 'stop'],
  [' unsubscribe ', null, 'stop'],
  ['START', null, 'start'],
  ['help?', null, 'help'],
  ['ARRET', 'STOP', 'stop'],
  ['please stop texting', null, null],
  ['I paid yesterday', null, null],
])('the message %s with the provider saying %s', (message, provider, keyword) => {
  expect(keywordOf(message, provider)).toBe(keyword);
});

test('a report never takes a text back from a state that says more', () => {
  expect(stateAfterReport('sending', 'sent')).toBe('sent');
  expect(stateAfterReport('queued', 'delivered')).toBe('delivered');
  for (const state of textStates.filter((one) => !['queued', 'sending', 'sent'].includes(one)))
    for (const report of ['sent', 'delivered', 'failed', 'undeliverable'] as const)
      expect(stateAfterReport(state, report)).toBe(state);
});

test('tries come later and later, and not before the provider asks for them', () => {
  expect([1, 2, 7, 50].map((attempts) => textBackoff(attempts, null))).toEqual([30_000, 60_000, 1_800_000, 1_800_000]);
  expect(textBackoff(1, 120)).toBe(120_000);
  expect(textBackoff(1, 999_999)).toBe(3_600_000);
});

test('the sandbox has the provider that sends nothing, and live has another one', () => {
  expect(() => checkProviderOf('sandbox', 'twilio')).toThrow('no texts to phones');
  expect(() => checkProviderOf('live', 'test')).toThrow('sends no texts');
});
