import { useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
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
        <Menu onAction={(key) => (key === 'leave' ? leave.mutate() : location.assign('/security'))}>
          <MenuItem id="security">{words.security}</MenuItem>
          <MenuItem id="leave">{words.signOut}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
