// Addresses of what the simulator offers beside the page, with the page's token passed on, and the role that it asks for, which may be less than the token's.

function beside(path: string, page: URL): URL {
  const address = new URL(path, page);
  if (address.origin !== page.origin) return address;
  for (const key of ['token', 'role']) {
    const value = page.searchParams.get(key);
    if (value !== null) address.searchParams.set(key, value);
  }
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
