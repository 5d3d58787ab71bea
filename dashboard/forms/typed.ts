import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useFormats } from '../formats.ts';
import type { Row } from '../kinds/kind.ts';
import { formatsOf } from '../written.ts';
import { draftsOf, type Keys, keysFrom, noDrafts, noUnanswered, type Unanswered, unansweredOf } from './drafts.ts';
import { changedIn, type FormField, keyOf, retyped, type Values, valuesOf } from './field.ts';

interface About {
  /** Name of the draft that this browser keeps; null: none. */
  about: string | null;
  /** Name by which this browser keeps the keys of its writes until they are answered, but not what was typed. */
  sentAs?: string | undefined;
  fields: readonly FormField[];
  /** Fields that it only tells about, if others changed them meanwhile. */
  watched?: readonly FormField[];
  row: Row | null;
  etag: string | null;
  /** An object whose values a new one begins with. */
  like?: Row | null;
}

/** What the fields, also the watched ones, are compared with: the object as it was read, and its tag. */
interface Known {
  base: Values;
  etag: string | null;
  keys: Keys;
}

/** What a person typed into a form. */
export interface Typed {
  form: UseFormReturn<Values>;
  isRestored: boolean;
  unanswered: Unanswered;
  known(): Known;
  entered(): Values;
  /** Writes the draft. */
  keep(): void;
  /** Forgets the draft, because it was saved. */
  forget(): void;
  /** Forgets what was typed. */
  discard(): void;
  /** Goes on from a newer version of the object, with these values. */
  goOn(newer: { base: Values; etag: string; values: Values }): void;
}

/** The values of a form, from the draft of an earlier visit if there is one. Each change is kept as a draft. */
export function useTyped({ about, sentAs, fields, watched = [], row, etag, like = null }: About): Typed {
  const formats = useFormats();
  const { place, me } = useRouteContext({ from: '__root__' });
  const [drafts] = useState(() => (about === null ? noDrafts : draftsOf({ place, me, about })));
  const [unanswered] = useState(() =>
    sentAs === undefined ? noUnanswered : unansweredOf({ place, me, about: sentAs }),
  );
  const [start] = useState(() => {
    const draft = drafts.read();
    const all = [...fields, ...watched];
    const stored = valuesOf(all, row, formats);
    const { language = formats.language } = draft ?? {};
    const inOwn = (values: Values) => retyped(all, values, [formatsOf({ ...formats, language }), formats]);
    const base = row === null ? stored : { ...stored, ...inOwn(draft?.base ?? {}) };
    const begun = row === null && like !== null ? valuesOf(fields, like, formats) : base;
    return { draft, base, values: { ...begun, ...inOwn(draft?.values ?? {}) } };
  });
  const known = useRef<Known>({
    base: start.base,
    etag: start.draft ? start.draft.etag : etag,
    keys: keysFrom(start.draft?.keys ?? unanswered.read()),
  });
  const [isRestored, setRestored] = useState(start.draft !== null);
  const form = useForm<Values>({ defaultValues: keyed(fields, start.values) });
  const entered = () => named(fields, form.getValues());
  const keep = () => {
    const { base, etag: tag, keys } = known.current;
    const values = entered();
    const changed = changedIn(fields, base, values);
    if (changed.length === 0) return drafts.clear();
    const typed = Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? '']));
    drafts.write({ etag: tag, language: formats.language, base, values: typed, keys: keys.all() });
  };
  const keeping = useRef(keep);
  keeping.current = keep;
  useEffect(() => form.subscribe({ formState: { values: true }, callback: () => keeping.current() }), [form]);
  return {
    form,
    isRestored,
    unanswered,
    known: () => known.current,
    entered,
    keep,
    forget: drafts.clear,
    discard: () => {
      known.current = { base: valuesOf([...fields, ...watched], row, formats), etag, keys: keysFrom({}) };
      form.reset(keyed(fields, known.current.base));
      drafts.clear();
      setRestored(false);
    },
    goOn: ({ base, etag: tag, values }) => {
      known.current = { ...known.current, base, etag: tag };
      form.reset(keyed(fields, values));
      keep();
    },
  };
}

const keyed = (fields: readonly FormField[], values: Values): Values =>
  Object.fromEntries(fields.map(({ name }) => [keyOf(name), values[name] ?? '']));

const named = (fields: readonly FormField[], values: Values): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, values[keyOf(name)] ?? '']));
