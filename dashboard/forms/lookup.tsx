import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { type Ref, useState } from 'react';
import {
  Autocomplete,
  Button,
  DialogTrigger,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
} from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { ErrorNote } from '../shell/problem.tsx';
import { useFormWords, useWords } from '../words.ts';
import type { Entered, FormField } from './field.ts';

interface Shown {
  field: FormField;
  value: Entered;
  change(value: Entered): void;
  control: Ref<HTMLElement>;
  attributes: { id: string; 'aria-describedby': string | undefined };
}

/** The name of the object that a field refers to; its id while that is not known. */
export function useNamed({ name, finder }: Pick<FormField, 'name' | 'finder'>, id: string): string {
  const { session } = useRouteContext({ from: '__root__' });
  const known = useQuery({
    queryKey: ['named', name, id],
    queryFn: async () => (await finder?.read(session.api, id)) ?? null,
    enabled: id !== '' && finder !== undefined,
  });
  return known.data?.name ?? id;
}

/** A field that refers to another object, which is searched for. */
export function Lookup({ field, value, change, control, attributes: { id, 'aria-describedby': described } }: Shown) {
  const words = useFormWords();
  const [isOpen, setOpen] = useState(false);
  const chosen = typeof value === 'string' ? value : '';
  const known = useNamed(field, chosen);
  const name = chosen === '' ? (field.none ?? words.nobody) : known;
  return (
    <div className="lookup">
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <Button
          id={id}
          className="secondary"
          aria-labelledby={`${id}-label ${id}`}
          {...(described ? { 'aria-describedby': described } : {})}
          ref={(element) => {
            if (typeof control === 'function') control(element);
          }}
        >
          <span dir="auto">{name}</span>
          <span aria-hidden="true">▾</span>
        </Button>
        {/* It is a dialog itself: a dialog in it would leave its hidden button outside of all landmarks. */}
        <Popover placement="bottom start" aria-label={field.label} className="react-aria-Popover panel">
          <Found
            field={field}
            choose={(option) => {
              change(option);
              setOpen(false);
            }}
          />
        </Popover>
      </DialogTrigger>
      {chosen !== '' && (
        <Button className="plain" aria-label={fill(words.clearField, { name: field.label })} onPress={() => change('')}>
          ✕
        </Button>
      )}
    </div>
  );
}

function Found({ field, choose }: { field: FormField; choose(id: string): void }) {
  const words = useFormWords();
  const { loading, search } = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const [text, setText] = useState('');
  const found = useQuery({
    queryKey: ['found', field.name, text],
    queryFn: async () => (await field.finder?.search(session.api, text.trim())) ?? [],
    placeholderData: keepPreviousData,
  });
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField aria-label={search} autoFocus>
        <Input placeholder={search} maxLength={255} />
      </SearchField>
      {found.isError && <ErrorNote error={found.error} />}
      <ListBox
        aria-label={field.label}
        items={found.data ?? []}
        onAction={(key) => choose(String(key))}
        renderEmptyState={() => <p className="none">{found.isPending ? loading : words.nothingFound}</p>}
      >
        {({ id, name, hint }) => (
          <ListBoxItem id={id} textValue={name}>
            <span dir="auto">{name}</span> {hint && <small dir="auto">{hint}</small>}
          </ListBoxItem>
        )}
      </ListBox>
    </Autocomplete>
  );
}
