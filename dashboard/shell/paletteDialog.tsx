import { type KeyboardEvent, useEffect, useState } from 'react';
import {
  Autocomplete,
  Button,
  Collection,
  Dialog,
  Header,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
} from 'react-aria-components';
import { fill, fillCount } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { kindOfObject } from '../kinds/all.ts';
import { useOverviewWords, useWords } from '../words.ts';
import { type Find, type FindGroup, useHitGroups, useHits, useOpen, usePlaces, useRecent } from './finds.ts';
import { ErrorNote } from './problem.tsx';

const LONGEST = 200;

/** One field that finds places, acts and everything in the account. */
export default function PaletteDialog({ close }: { close(): void }) {
  const words = useWords();
  const { palette } = useOverviewWords();
  const [typed, setTyped] = useState('');
  const [isEntered, setEntered] = useState(false);
  const text = typed.trim();
  const { results, error, isSearching } = useHits(text);
  const hits = useHitGroups(results);
  const recent = useRecent();
  const places = usePlaces(text);
  const groups = text === '' ? [...recent, ...places] : [...places, ...hits];
  const finds = groups.flatMap((group) => group.finds);
  const open = useOpen();
  const choose = (find: Find | undefined) => {
    if (!find) return;
    close();
    open(find.path);
    setTimeout(() => document.getElementById('main')?.focus());
  };
  const first = finds[0];
  useEffect(() => {
    if (isEntered && !isSearching) choose(first);
    if (!isSearching) setEntered(false);
  }, [isEntered, isSearching]);
  const onKeyDownCapture = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Enter' || !isSearching || first) return;
    pressed.preventDefault();
    pressed.stopPropagation();
    setEntered(true);
  };
  return (
    <Dialog aria-label={palette.title}>
      <div className="find" onKeyDownCapture={onKeyDownCapture}>
        <Autocomplete
          inputValue={typed}
          onInputChange={(next) => {
            setTyped(next);
            setEntered(false);
          }}
        >
          <div className="ask">
            <SearchField autoFocus>
              <Label className="hidden">{palette.title}</Label>
              <Input placeholder={palette.hint} maxLength={LONGEST} />
            </SearchField>
            <Button className="plain" onPress={close}>
              {words.close}
            </Button>
          </div>
          <Told text={text} isSearching={isSearching} count={results === null ? null : results.hits.length} />
          {error !== null && <ErrorNote error={error} />}
          <Found groups={groups} choose={(key) => choose(finds.find((one) => one.key === key))} />
        </Autocomplete>
        <Incomplete objects={results?.incomplete ?? []} />
      </div>
    </Dialog>
  );
}

/** Tells how many there are, also to those who hear the page. */
function Told({ text, isSearching, count }: { text: string; isSearching: boolean; count: number | null }) {
  const { palette } = useOverviewWords();
  const { language } = useFormats();
  const told = () => {
    if (text === '') return palette.keys;
    if (isSearching) return palette.searching;
    if (count === null) return '';
    return count === 0 ? fill(palette.nothing, { text }) : fillCount(palette.found, { language, count }, { count });
  };
  return (
    <p className="told" role="status">
      {told()}
    </p>
  );
}

function Found({ groups, choose }: { groups: readonly FindGroup[]; choose(key: string): void }) {
  const { palette } = useOverviewWords();
  if (groups.length === 0) return null;
  return (
    <ListBox aria-label={palette.title} items={groups} selectionMode="none" onAction={(key) => choose(String(key))}>
      {(group: FindGroup) => (
        <ListBoxSection id={group.key}>
          <Header>{group.title}</Header>
          <Collection items={group.finds}>
            {(find: Find) => (
              <ListBoxItem id={find.key} textValue={find.title}>
                <span className="what" dir="auto">
                  {find.title}
                </span>
                {find.status && <span className={`status ${find.status.value}`}>{find.status.text}</span>}
                <span className="about">
                  {find.about.map((part) => (
                    <span key={part} dir="auto">
                      {part}
                    </span>
                  ))}
                </span>
              </ListBoxItem>
            )}
          </Collection>
        </ListBoxSection>
      )}
    </ListBox>
  );
}

function Incomplete({ objects }: { objects: readonly string[] }) {
  const words = useWords();
  const { palette } = useOverviewWords();
  if (objects.length === 0) return null;
  const names = objects.map((object) => {
    const kind = kindOfObject(object);
    return kind ? words.place[kind.list] : palette.contacts;
  });
  return <p className="none">{fill(palette.incomplete, { places: names.join(', ') })}</p>;
}
