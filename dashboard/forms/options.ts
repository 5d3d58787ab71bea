import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { Client } from '../../client/index.ts';
import { useFormats } from '../formats.ts';
import type { CustomField, CustomObject } from '../kinds/custom.ts';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import { byName, type Option } from './codes.ts';
import type { Finder, FormField } from './field.ts';

/** Finds customers by name, number and email. */
export const customerFinder = (except: string | null): Finder => ({
  search: async (api, text) => {
    const found = await api.get('/customers', { per_page: 8, ...(text === '' ? { sort: 'name' } : { search: text }) });
    return found
      .filter(({ id }) => String(id) !== except)
      .map((one) => ({
        id: String(one.id),
        name: one.name,
        hint: [one.number, one.email].filter(Boolean).join(' · '),
      }));
  },
  read: async (api, id) => {
    const { name } = await api.get('/customers/{id}', { id: Number(id) });
    return { id, name };
  },
});

/** Finds issued invoices by their number, their purchase order or their customer. */
export const invoiceFinder: Finder = {
  search: async (api, text) => {
    const sorted = text === '' ? { sort: 'date desc' } : { search: text };
    const found = await api.get('/invoices', { per_page: 8, expand: 'customer', ...sorted });
    const issued = found.filter(({ draft }) => !draft);
    return issued.map(({ id, number, name, customer }) => ({
      id: String(id),
      name: number ?? name,
      hint: typeof customer === 'object' ? customer.name : '',
    }));
  },
  read: async (api, id) => {
    const { number, name } = await api.get('/invoices/{id}', { id: Number(id) });
    return { id, name: number ?? name };
  },
};

/** The promise of an invoice, as the API names it. */
export const PROMISE = 'expected_payment_date';

/** On which day a customer pays an invoice, and how. */
export function usePromiseFields(): FormField[] {
  const { care } = useFormWords();
  const { choices, fields } = useWords();
  const methods = Object.entries(choices.method).map(([id, name]) => ({ id, name }));
  return [
    { name: `${PROMISE}[date]`, label: care.promisedDay, kind: 'day', isRequired: true },
    { name: `${PROMISE}[method]`, label: fields.method, kind: 'choice', choices: methods },
    { name: `${PROMISE}[reference]`, label: fields.reference, kind: 'text' },
  ];
}

/** Terms that many use. */
export const TERMS = ['NET 7', 'NET 14', 'NET 30', 'NET 60', '2% 10 NET 30', 'Due on receipt', 'AutoPay'];

/** More members are not offered. */
const MOST_OWNERS = 2000;

/** The members by name, for all who may read customers; those without a name by their address, for who may read members. */
async function readOwners(api: Client, isAllowed: boolean) {
  const found: { id: string; name: string; isActive: boolean }[] = [];
  for await (const { id, name, active } of api.list('/owners', { per_page: 100 })) {
    found.push({ id: String(id), name: name ?? '', isActive: active });
    if (found.length === MOST_OWNERS) break;
  }
  if (!isAllowed || found.every(({ name }) => name !== '')) return found;
  const addresses = new Map<string, string>();
  for await (const { id, email } of api.list('/members', { per_page: 100 })) {
    addresses.set(String(id), email);
    if (addresses.size === MOST_OWNERS) break;
  }
  return found.map((one) => (one.name === '' ? { ...one, name: addresses.get(one.id) ?? '' } : one));
}

/** The members by their names, in the order of these; without the permission to read them the person alone. Named once, not for each row. */
function useColleagues() {
  const words = useWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const { language } = useFormats();
  const ownId = String(me.member?.id ?? '');
  const ownName = me.name ?? me.email ?? '';
  const read = useQuery({
    queryKey: ['owners', language],
    queryFn: async () => {
      const found = await readOwners(session.api, can(me, 'people.read'));
      const named = found.map((one) => {
        const known = one.name || (one.id === ownId ? ownName : '');
        return { ...one, name: known || `${words.otherColleague} (${one.id})` };
      });
      return byName(named, language);
    },
    enabled: can(me, 'customers.read'),
  });
  const alone = me.member ? [{ id: ownId, name: ownName || ownId, isActive: true }] : [];
  return { known: read.data ?? alone, unknown: read.isLoading ? words.empty : words.otherColleague };
}

/** The members who can be responsible, and the current one. */
export function useMembers(current: string | null): Option[] {
  const { known, unknown } = useColleagues();
  const active = known.filter(({ isActive }) => isActive);
  if (current === null || active.some(({ id }) => id === current)) return active;
  return [...active, known.find(({ id }) => id === current) ?? { id: current, name: unknown }];
}

/** The name of a member, also of one who is no longer active. */
export function useMemberName(id: string): string {
  const { known, unknown } = useColleagues();
  return known.find((one) => one.id === id)?.name ?? unknown;
}

export function useCadences(): Option[] {
  const { session, me } = useRouteContext({ from: '__root__' });
  const cadences = useQuery({
    queryKey: ['chasing_cadences'],
    queryFn: () => session.api.get('/chasing_cadences', { per_page: 100 }),
    enabled: can(me, 'collections.read'),
  });
  return cadences.data?.map(({ id, name }) => ({ id: String(id), name })) ?? [];
}

const readCustomFields = (api: Client, object: CustomObject) =>
  api.get('/custom_fields', Object.assign({ per_page: 100, sort: 'created_at' }, { 'filter[object]': object }));

const NO_FIELDS: readonly CustomField[] = [];

/** The custom fields of a kind of object, as far as the person may read them; null: they are being read. */
export function useCustomFieldsOf(object: CustomObject | null): readonly CustomField[] | null {
  const { session, me } = useRouteContext({ from: '__root__' });
  const isAllowed = can(me, 'catalog.read') && object !== null;
  const fields = useQuery({
    queryKey: ['custom_fields', object],
    queryFn: () => (object === null ? [] : readCustomFields(session.api, object)),
    enabled: isAllowed,
  });
  if (!isAllowed || fields.isError) return NO_FIELDS;
  return fields.data ?? null;
}

/** The custom fields that a kind of object has, as fields of its form; null: they are being read. */
export function useCustomFields(object: CustomObject): FormField[] | null {
  const words = useWords();
  const fields = useCustomFieldsOf(object);
  const { language } = useFormats();
  const answers = [
    { id: 'true', name: words.yes },
    { id: 'false', name: words.no },
  ];
  return fields?.map((field) => formFieldOf(field, answers, language)) ?? null;
}

const KINDS = { integer: 'number', double: 'money', money: 'money', date: 'day' } as const;
const hasKind = (type: string): type is keyof typeof KINDS => type in KINDS;

function formFieldOf(
  { id, name, type, choices }: CustomField,
  answers: readonly Option[],
  language: string,
): FormField {
  const field = { name: `metadata[${id}]`, label: name };
  if (type === 'boolean') return { ...field, kind: 'choice', choices: answers };
  if (type === 'enum')
    return {
      ...field,
      kind: 'choice',
      choices: byName(
        choices.map((one) => ({ id: one, name: one })),
        language,
      ),
    };
  return { ...field, kind: hasKind(type) ? KINDS[type] : 'text' };
}
