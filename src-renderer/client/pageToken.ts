// The web host's token, from the address that the host printed. Guarantees: it leaves the address bar at once; a reload
// of the tab finds it again, and no other port of the machine receives it (it is no cookie).

const key = 'understory-token';

/** Null: the page was not opened by the host's address. */
export function pageToken(
  page: Pick<Window, 'location' | 'history' | 'sessionStorage'>,
): string | null {
  const url = new URL(page.location.href);
  const given = url.searchParams.get('token');
  if (given === null) return page.sessionStorage.getItem(key);
  page.sessionStorage.setItem(key, given);
  url.searchParams.delete('token');
  page.history.replaceState(page.history.state, '', url);
  return given;
}
