import { useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { type Language, spokenLanguages } from '../../words/languages.ts';
import { useFormats } from '../formats.ts';
import { useWords } from '../words.ts';

/** Who is signed in, and what is about the person alone. */
export function PersonMenu() {
  const words = useWords();
  const { me, session } = useRouteContext({ from: '__root__' });
  const leave = useMutation({
    mutationFn: async () => {
      const sessions = await session.api.get('/sessions');
      const own = sessions.find(({ current }) => current);
      if (own) await session.api.delete('/sessions/{id}', { id: own.id });
    },
    onSuccess: () => {
      localStorage.clear(); // what was typed and looked at stays with nobody
      location.assign('/sign_in');
    },
  });
  return (
    <MenuTrigger>
      <Button className="account">
        <span dir="auto">{me.name ?? me.email}</span> <span aria-hidden="true">▾</span>
      </Button>
      <Popover>
        <Menu>
          <MenuItem id="security" onAction={() => location.assign('/security')}>
            {words.security}
          </MenuItem>
          <MenuItem id="leave" onAction={() => leave.mutate()}>
            {words.signOut}
          </MenuItem>
          <Languages />
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

const YEAR_SECONDS = 31_536_000;

/** The languages, each by its own name. The server writes the page in the one that the cookie names. */
function Languages() {
  const words = useWords();
  const { language } = useFormats();
  return (
    <MenuSection selectionMode="single" selectedKeys={[language]}>
      <Header>{words.language}</Header>
      {spokenLanguages.map((one) => (
        <MenuItem key={one} id={one} onAction={() => choose(one)}>
          <span lang={one}>{nameOf(one)}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}

function choose(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4
  document.cookie = `language=${language}; Path=/dashboard; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  location.reload();
}

const nameOf = (language: Language): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
