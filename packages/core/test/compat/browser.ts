import { CSRF_TOKEN, cookieNames, csrfCookie, HTTPS } from './fixtures.ts'
import { makeRequest, type RequestScenario } from './scenario.ts'

/** A visitor's browser: it keeps the cookies of one step for the next, and sends forms of pages. */
export interface Browser {
  send(scenario: RequestScenario): Promise<Response>
  /** Presses the button of a page. */
  submit(page: Response, rest?: Partial<RequestScenario>): Promise<Response>
  /** Loses all cookies, as another browser has none of them. */
  forget(): void
}

/** A browser that has been on a page with a form before. */
export async function createBrowser(
  answer: (request: Request) => Promise<Response>,
): Promise<Browser> {
  const jar = new Map([[cookieNames(HTTPS).csrf, await csrfCookie(CSRF_TOKEN)]])

  async function send(scenario: RequestScenario): Promise<Response> {
    const { cookies } = scenario
    const own = typeof cookies === 'function' ? await cookies() : cookies
    const request = await makeRequest({
      ...scenario,
      cookies: { ...Object.fromEntries(jar), ...own },
    })
    const response = await answer(request)
    for (const line of response.headers.getSetCookie()) keep(line)
    return response
  }

  function keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const value = decodeURIComponent(pair.slice(at + 1))
    if (value === '') jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), value)
  }

  return {
    send,
    // The token is in the form.
    submit: async (page, rest) => send({ ...rest, ...formOf(await page.text()), csrf: 'none' }),
    forget: () => jar.clear(),
  }
}

/** The form of a page, as it would be sent. */
function formOf(html: string): Pick<RequestScenario, 'path' | 'form'> {
  const path = /<form [^>]*?action="([^"]*)"/.exec(html)?.[1] ?? ''
  const fields = [...html.matchAll(/<input [^>]*?name="([^"]*)" value="([^"]*)"/g)]
  return {
    path: decodeHtml(path),
    form: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, decodeHtml(value)])),
  }
}

function decodeHtml(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
  }
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name) => letters[name] ?? whole)
}
