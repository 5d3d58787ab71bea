import { Link } from '@tanstack/react-router';
import type { Kind, Preset } from '../kinds/kind.ts';
import { useOverviewWords } from '../words.ts';
import { presetSearch, type Search, showsPreset } from './state.ts';

/** Links to what people ask of a list most, such as the unpaid invoices. Those of amounts ask in the currency of the list. */
export function Presets({ kind, search }: { kind: Kind; search: Search }) {
  const { presets: words } = useOverviewWords();
  if (!kind.presets) return null;
  const all: readonly (Preset | null)[] = [null, ...kind.presets];
  return (
    <nav className="presets" aria-label={words.ready}>
      {all.map((preset) => (
        <Link
          key={preset?.name ?? 'all'}
          to="/$list"
          params={{ list: kind.list }}
          search={presetSearch(preset, search)}
          className="preset"
          activeOptions={{ exact: true }}
          aria-current={showsPreset(preset, search) ? 'page' : undefined}
        >
          {words[preset?.name ?? 'all']}
        </Link>
      ))}
    </nav>
  );
}
