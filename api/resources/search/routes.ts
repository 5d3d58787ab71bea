import { roundMoney } from '../../../billing/money/money.ts';
import { unknownName } from '../../../billing/money/nearest.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { readSearch } from '../../../billing/searchQuery.ts';
import { MOST_SEARCH_WORDS } from '../../../billing/searchWords.ts';
import { prefixesOf } from '../../../db/queries/accounts/numberSeries.ts';
import { type Reading, readingOf } from '../../../db/queries/kernel/reading.ts';
import { type FoundHit, findHits, matches } from '../../../db/queries/kernel/searchHits.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { number, type Presented } from '../../../present/kernel/values.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { readParameter } from '../../framework/resource.ts';
import { type Reply, type Route, reply } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import type { HitFacts, SearchKind } from './kinds.ts';
import { customerKind, searchKinds, typesByWord } from './registry.ts';

const types = searchKinds.map(({ object }) => object);
/** Hits of one type. */
const MOST_HITS = 8;
/** Customers found by name whose newest objects are hits. */
const MOST_CUSTOMERS = 5;

const hit = shown.value('SearchHit', 'Object that a search found', {
  object: shown.oneOf('Type of the object', 'invoice', types),
  id: {
    schema: {
      type: ['integer', 'string'],
      description: 'Id of the object; that of an item, a plan or a coupon is a text',
    },
    example: 77,
  },
  match: shown.oneOf(
    '`number`, `id`, `email`, `phone`, `name` (also other words of it), `amount`, `reference`: what of it was found; `customer`: the name of its customer',
    'number',
    matches,
  ),
  title: shown.text('Number or name of the object', 'INV-00077'),
  subtitle: shown.text('Customer, amount and status of the object, those that it has', 'Acme · 120.00 USD · past_due'),
  customer: shown.unset(shown.id('Id of the customer; null: it belongs to none')),
  customer_name: shown.nullable(shown.text('Name of the customer; null also if you may not read customers', 'Acme')),
  email: shown.unset(shown.text('Email address of a customer or contact', 'ada@example.com')),
  amount: shown.nullable(shown.money('Total of a document, amount of a payment, price of a plan or item', 120)),
  currency: shown.nullable(shown.currency()),
  status: shown.nullable(shown.text('Status of the object', 'past_due')),
});

const search = shown.value('SearchResults', 'Results of a search over everything', {
  q: shown.text('The text that was searched', 'acme'),
  hits: shown.listOf(hit, `Best hits first, at most ${MOST_HITS} of each type`),
  more: shown.textList('Types with more hits than are shown', 'invoice'),
  incomplete: shown.textList('Types that took too long to search for other than exact matches'),
});

const qField = fields.described(
  fields.text(),
  'A name, a number, an email address, a telephone number or its last digits (at least 5), an amount (`120`, `1,200.50`, `USD 120`), an id (`123`, `invoice 123`), or the beginning of a word of these. Without a text, nothing is found',
  'acme',
);
const typesField = fields.described(
  fields.text(1000),
  `Only objects of these types, separated by commas: ${types.map((type) => `\`${type}\``).join(', ')}`,
  'customer,invoice',
);

async function searchAll(request: ApiRequest): Promise<Reply> {
  const { em, query: parameters, caller } = request;
  const text = readText(parameters.get('q') ?? '');
  const wanted = kindsIn(request);
  if (text === '') return reply(200, { q: '', hits: [], more: [], incomplete: [] });
  const accountId = caller.account.id;
  const query = readSearch(text, typesByWord);
  if (query.words.length > MOST_SEARCH_WORDS)
    throw new Refusal('parameter_invalid', `q may have at most ${MOST_SEARCH_WORDS} words`, 'q');
  const prefixes = /^\d+$/.test(query.numberKey ?? '') ? await prefixesOf(em, accountId) : new Map<string, string[]>();
  const find = (kinds: readonly SearchKind[], ofCustomers: readonly number[]) =>
    findHits(em, {
      accountId,
      most: MOST_HITS + 1,
      queries: kinds.map((kind) => ({
        row: kind.row,
        exists: kind.exists,
        lookUps: kind.lookUps(query, prefixes),
        named: kind.searchable && query.words.length > 0 ? { searchable: kind.searchable, words: query.words } : null,
        ofCustomers: kind.isOfCustomers ? ofCustomers : [],
      })),
    });
  const seesCustomers = caller.permissions.includes('customers.read');
  const [customers = null] = seesCustomers ? await find([customerKind], []) : [[]];
  const named = (customers ?? []).filter(
    ({ match }) => match === 'name' || match === 'email' || match === 'phone' || match === 'number',
  );
  const others = wanted.filter((kind) => kind !== customerKind);
  const found = await find(
    others,
    named.slice(0, MOST_CUSTOMERS).map(({ id }) => id),
  );
  const results = wanted.map((kind) => ({
    kind,
    hits: kind === customerKind ? customers : (found[others.indexOf(kind)] ?? null),
  }));
  const reading = readingOf(em, accountId);
  const { hits: shownHits, more } = await presentHits(reading, {
    results,
    seesCustomers,
    typed: query.typed?.type ?? null,
  });
  const ofTypes = (those: typeof results) => those.map(({ kind }) => kind.object);
  return reply(200, {
    q: text,
    hits: shownHits,
    more,
    incomplete: ofTypes(results.filter(({ hits }) => hits === null)),
  });
}

/** The text to search for; empty: there is none yet, and nothing is found. */
function readText(sent: string): string {
  return sent.trim() === '' ? '' : readParameter(fields.text(), sent, 'q').trim();
}

/** The types that the request asks for, and of which the caller may read the objects. */
function kindsIn({ query, caller }: ApiRequest): SearchKind[] {
  const names = readParameter(fields.text(1000), query.get('types') || types.join(), 'types').split(',');
  const wanted = names.map((name) => name.trim()).filter((name) => name !== '');
  const unknown = wanted.find((name) => !types.includes(name));
  if (unknown !== undefined) throw new Refusal('parameter_invalid', unknownName('type', unknown, types), 'types');
  return searchKinds.filter(
    ({ object, area }) => wanted.includes(object) && caller.permissions.includes(`${area}.read`),
  );
}

interface Shown {
  kind: SearchKind;
  match: FoundHit['match'];
  facts: HitFacts & { id: number | string };
}

async function presentHits(
  reading: Reading,
  {
    results,
    seesCustomers,
    typed,
  }: {
    results: readonly { kind: SearchKind; hits: FoundHit[] | null }[];
    seesCustomers: boolean;
    typed: string | null;
  },
): Promise<{ hits: Presented[]; more: string[] }> {
  const all: Shown[] = [];
  const more: string[] = [];
  for (const { kind, hits } of results) {
    const facts = await kind.facts(
      reading,
      (hits ?? []).map(({ id }) => id),
    );
    const seen = (hits ?? []).flatMap(({ id, match }) => {
      const of = facts.get(id);
      return of ? [{ kind, match, facts: of }] : [];
    });
    if (seen.length > MOST_HITS) more.push(kind.object);
    all.push(...seen.slice(0, MOST_HITS));
  }
  const rank = ({ kind, match }: Shown) => (kind.object === typed && match === 'id' ? -1 : matches.indexOf(match));
  const best = all.toSorted((one, other) => rank(one) - rank(other));
  const ids = best.flatMap(({ facts }) => facts.customerId ?? []);
  const customers = seesCustomers ? await reading.byId(Customer, ids) : new Map<number, { name: string }>();
  return {
    hits: best.map((one) => presentHit(one, customers.get(one.facts.customerId ?? 0)?.name ?? null)),
    more,
  };
}

function presentHit({ kind, match, facts }: Shown, customerName: string | null): Presented {
  const { id, title, customerId, email = null, amount = null, currency = null, status = null } = facts;
  const money =
    amount !== null && currency !== null ? `${roundMoney(amount, currency)} ${currency.toUpperCase()}` : null;
  const subtitle = [kind === customerKind ? null : customerName, email, money, status].filter((part) => part !== null);
  return {
    object: kind.object,
    id,
    match,
    title,
    subtitle: subtitle.join(' · '),
    customer: customerId,
    customer_name: customerName,
    email,
    amount: amount === null ? null : number(amount),
    currency,
    status,
  };
}

export const searchRoutes: Route[] = [
  {
    method: 'GET',
    path: '/search',
    operationId: 'searchEverything',
    permission: null,
    summary: 'Search everything that you may read',
    parameters: { q: { schema: schemaOf(qField) }, types: { schema: schemaOf(typesField) } },
    answer: { statusCode: 200, kind: { shape: search } },
    handle: searchAll,
  },
];
