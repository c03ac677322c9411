// Addresses of what the simulator offers beside the page, with the page's token passed on.

function beside(path: string, page: URL): URL {
  const address = new URL(path, page);
  const token = page.searchParams.get('token');
  if (token !== null && address.origin === page.origin) address.searchParams.set('token', token);
  return address;
}

/** Where the simulator listens. */
export function socketAddress(page: URL): string {
  const address = beside('ws', page);
  address.protocol = page.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

/** What tells whether this page may connect: a WebSocket that is refused does not say why. */
export function accessAddress(page: URL): string {
  return beside('access', page).href;
}

/** A scene's picture, whose address comes ready and percent-encoded. */
export function pictureAddress(picture: string, page: URL): string {
  return beside(picture, page).href;
}
