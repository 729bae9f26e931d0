import type { RawRequest } from '@siteauth/testing/integration'

/** Server functions, as the script of a page calls them, and routes that take a form. */
export async function functionCalls(origin: string): Promise<readonly RawRequest[]> {
  const page = await (await fetch(`${origin}/login`)).text()
  const [read, write] = page.match(/\/_serverFn\/\S+/g) ?? []
  if (!read || !write) throw new Error(`The page names no server functions: ${page}`)
  const headers = {
    origin,
    accept: 'application/json',
    'sec-fetch-site': 'same-origin',
    'x-tsr-serverfn': 'true',
  }
  return [
    { target: read, headers },
    { method: 'POST', target: write, headers },
    { method: 'POST', target: '/item/1', headers },
    { method: 'POST', target: '/only-ada', headers },
  ]
}
