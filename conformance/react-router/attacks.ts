import type { RawRequest } from '@siteauth/testing/integration'

/** Loaders, as the script of a page asks for them, and actions, by a form and by that script. */
export async function functionCalls(origin: string): Promise<readonly RawRequest[]> {
  const form = {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'name=x',
  }
  return [
    { target: '/files/a.data' },
    { target: '/files/a.data?_routes=routes%2Ffiles' },
    { target: '/item/1.data' },
    { target: '/only-ada.data' },
    { ...form, target: '/files/a' },
    { ...form, target: '/files/a.data' },
    { ...form, target: '/item/1' },
    { ...form, target: '/item/1.data' },
    { ...form, target: '/only-ada' },
    { ...form, target: '/only-ada.data' },
  ]
}
