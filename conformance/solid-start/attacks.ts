import type { RawRequest } from '@siteauth/testing/integration'

/** Server functions, as the script of a page calls them and as its forms do without a script, and API routes. */
export async function functionCalls(origin: string): Promise<readonly RawRequest[]> {
  const page = await (await fetch(`${origin}/login`)).text()
  const [file, onlyAda, write] = page.match(/\/_server\?\S+/g) ?? []
  if (!file || !onlyAda || !write) throw new Error(`The page names no functions: ${page}`)
  const own = { origin, referer: `${origin}/files/a`, 'sec-fetch-site': 'same-origin' }
  const form = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
  const byScript = (address: string, more = {}): RawRequest => ({
    method: 'POST',
    target: '/_server',
    headers: { ...own, 'x-server-id': idIn(address), 'x-server-instance': 'server-fn:0', ...more },
  })
  return [
    byScript(file),
    { ...byScript(file), method: 'GET' },
    byScript(write, { 'content-type': 'application/x-www-form-urlencoded' }),
    // The answer then comes with the data of the page.
    byScript(write, { 'x-single-flight': 'true' }),
    { target: file, headers: own },
    { target: write, headers: own },
    { method: 'POST', target: write, headers: form, body: 'name=x' },
    // The name of the route, so that the suite also sends it as a user whom the guard rejects.
    { ...byScript(onlyAda), target: '/_server?only-ada' },
    { target: `${onlyAda}&only-ada`, headers: own },
    { method: 'POST', target: '/item/1', headers: form },
  ]
}

/** The header by which a script names a function. */
function idIn(address: string): string {
  const query = new URL(address, 'http://localhost').searchParams
  return encodeURIComponent(`${query.get('id')}#${query.get('name')}`)
}
