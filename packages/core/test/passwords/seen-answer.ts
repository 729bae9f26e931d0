/** All that can be seen of an answer, with what is random or the address itself taken out. */
export async function seenOf(response: Response, email: string): Promise<unknown> {
  const headers = [...response.headers]
    .filter(([name]) => name !== 'set-cookie')
    .map(([name, value]) => [name, blur(value, email)])
  const cookies = response.headers.getSetCookie().map(line => blur(line, email))
  return { status: response.status, headers, cookies, body: blur(await response.text(), email) }
}

function blur(text: string, email: string): string {
  return text
    .replaceAll(encodeURIComponent(email), '[email]')
    .replaceAll(email, '[email]')
    .replaceAll(/eyJ[\w-]+\.[\w.-]*/g, sealed => `[sealed ${Math.round(sealed.length / 32)}]`)
    .replaceAll(/[0-9a-f]{32,}/g, '[random]')
    .replaceAll(/expires=[^;]+/gi, 'expires=[time]')
}
