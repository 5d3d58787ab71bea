import { useFormats } from '../formats.ts';
import { countriesIn, currenciesIn, languagesIn } from '../forms/codes.ts';
import type { Editor, FormField, Section } from '../forms/field.ts';
import { customerFinder, TERMS, useCadences, useCustomFields, useMembers } from '../forms/options.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { useFormWords, useWords } from '../words.ts';

/** How customers are made and changed. */
export const customerEditor: Editor = {
  useSections,
  create: (api, body) => api.full('post', '/customers', Object.assign({ name: '' }, body)),
  change: (api, id, body) => api.full('patch', '/customers/{id}', Object.assign({}, body), { id: Number(id) }),
};

function useSections(row: Row | null): readonly Section[] | null {
  const { fields, choices } = useWords();
  const words = useFormWords();
  const { language } = useFormats();
  const owner = row ? textOf(row, 'owner') : '';
  const members = useMembers(owner || null);
  const cadences = useCadences();
  const custom = useCustomFields('customer');
  if (custom === null) return null;
  const { customerType } = choices;
  const text = (name: 'email' | 'phone' | 'attention_to' | 'number' | 'tax_id', more: Partial<FormField> = {}) => ({
    name,
    label: fields[name],
    kind: 'text' as const,
    ...more,
  });
  const own = words.customer;
  return [
    {
      title: own.who,
      fields: [
        { name: 'name', label: fields.name, kind: 'text', isRequired: true, isWide: true },
        text('email', { kind: 'email' }),
        text('phone', { kind: 'phone' }),
        text('number', { hint: own.numberHint }),
        {
          name: 'type',
          label: fields.type,
          kind: 'choice',
          isRequired: true,
          initial: Object.keys(customerType)[0] ?? '',
          choices: Object.entries(customerType).map(([id, name]) => ({ id, name })),
        },
      ],
    },
    {
      title: own.address,
      fields: [
        text('attention_to', { isWide: true }),
        { name: 'address1', label: own.address1, kind: 'text' },
        { name: 'address2', label: own.address2, kind: 'text' },
        { name: 'postal_code', label: own.postalCode, kind: 'text' },
        { name: 'city', label: own.city, kind: 'text' },
        { name: 'state', label: own.state, kind: 'text' },
        { name: 'country', label: fields.country, kind: 'choice', choices: countriesIn(language) },
      ],
    },
    {
      title: own.billing,
      fields: [
        {
          name: 'currency',
          label: fields.currency,
          kind: 'choice',
          none: own.ofAccount,
          choices: currenciesIn(language),
        },
        {
          name: 'language',
          label: fields.language,
          kind: 'choice',
          none: own.ofAccount,
          choices: languagesIn(language),
        },
        {
          name: 'payment_terms',
          label: fields.payment_terms,
          kind: 'text',
          proposals: TERMS,
          hint: own.termsHint,
        },
        text('tax_id'),
        { name: 'credit_limit', label: fields.credit_limit, kind: 'money', hint: own.creditLimitHint },
        { name: 'autopay', label: own.autopay, kind: 'flag' },
      ],
    },
    {
      title: own.collections,
      fields: [
        { name: 'owner', label: fields.owner, kind: 'choice', isId: true, choices: members, none: words.nobody },
        {
          name: 'parent_customer',
          label: fields.parent_customer,
          kind: 'reference',
          none: own.noParent,
          finder: customerFinder(row ? textOf(row, 'id') : null),
        },
        {
          name: 'chasing_cadence',
          label: fields.chasing_cadence,
          kind: 'choice',
          isId: true,
          choices: cadences,
          none: own.fittingCadence,
        },
        { name: 'chase', label: own.chase, kind: 'flag', initial: true },
      ],
    },
    {
      title: own.further,
      fields: [
        ...custom,
        { name: 'notes', label: fields.notes, kind: 'textarea', hint: own.notesHint },
        { name: 'metadata', label: words.metadata, kind: 'pairs', hint: words.metadataHint },
      ],
    },
  ];
}
