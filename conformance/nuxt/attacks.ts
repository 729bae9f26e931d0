import type { RawRequest } from '@siteauth/testing/integration'

/** Requests that run server routes behind a guard: those that pages fetch, and server components, which fetch them, too. */
export async function functionCalls(origin: string): Promise<readonly RawRequest[]> {
  const json = { origin, accept: 'application/json', 'content-type': 'application/json' }
  return [
    { target: '/api/guarded' },
    { method: 'POST', target: '/api/guarded', headers: json, body: '{}' },
    // Its path is said to be that of the sign-in page, and it runs no route middleware.
    ...['Guarded_x.json', 'Guarded_x', 'Guarded_x.json?props=%7B%7D&url=%2Flogin'].map(island => ({
      target: `/__nuxt_island/${island}`,
    })),
    {
      method: 'POST',
      target: '/__nuxt_island/Guarded_x.json',
      headers: json,
      body: '{"url":"/login"}',
    },
    ...['/files/a/_payload.json', '/files/a?_payload'].map(target => ({
      target,
      headers: { accept: 'text/html' },
    })),
  ]
}
