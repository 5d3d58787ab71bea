import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { fill } from '../../words/text.ts';
import { type Field, type Kind, labelOf } from '../kinds/kind.ts';
import { useWords } from '../words.ts';
import { type Column, columnsOf, type Search, withColumns } from './state.ts';

interface Shown {
  kind: Kind;
  search: Search;
  change(search: Search): void;
}

/** Chooses the columns of a list and their order. */
export function Columns({ kind, search, change }: Shown) {
  const words = useWords();
  const columns = columnsOf(kind, search);
  const isShown = (field: Field) => columns.some((one) => one.field === field);
  const offered = kind.fields.slice(1).filter((field) => !isShown(field));
  const keep = (next: readonly Column[]) => change(withColumns(search, next));
  return (
    <DialogTrigger>
      <Button className="secondary">{words.columns}</Button>
      <Popover>
        <Dialog aria-label={words.columns} className="panel">
          <ul className="columns">
            {columns.map((column, place) => (
              <li key={column.field.name}>
                <Box field={column.field} isOn={true} set={() => keep(columns.filter((one) => one !== column))} />
                <Move columns={columns} place={place} keep={keep} by={-1} />
                <Move columns={columns} place={place} keep={keep} by={1} />
              </li>
            ))}
            {offered.map((field) => (
              <li key={field.name}>
                <Box field={field} isOn={false} set={() => keep([...columns, { field, width: null }])} />
              </li>
            ))}
          </ul>
          <Button className="secondary" onPress={() => change(withColumns(search, null))}>
            {words.resetColumns}
          </Button>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Box({ field, isOn, set }: { field: Field; isOn: boolean; set(): void }) {
  const words = useWords();
  return (
    <label className="box">
      <input type="checkbox" checked={isOn} onChange={set} /> <span dir="auto">{labelOf(field, words.fields)}</span>
    </label>
  );
}

interface Moved {
  columns: readonly Column[];
  place: number;
  by: -1 | 1;
  keep(columns: readonly Column[]): void;
}

function Move({ columns, place, by, keep }: Moved) {
  const words = useWords();
  const [own, other] = [columns[place], columns[place + by]];
  if (!own) return null;
  const label = fill(by < 0 ? words.moveUp : words.moveDown, { name: labelOf(own.field, words.fields) });
  const swapped = columns.map((one, index) => (index === place ? (other ?? one) : index === place + by ? own : one));
  return (
    <Button className="plain" aria-label={label} isDisabled={!other} onPress={() => keep(swapped)}>
      {by < 0 ? '↑' : '↓'}
    </Button>
  );
}
