/*
 * The desk is the part of the demo that is no application: it draws the panels around them, keeps
 * the inbox, and shows what happened. See around/desk.js.
 */

/** Tells the desk what happened, for its list of events. */
export async function tellDesk(app, name, words) {
  await post('/events', { app, name, words })
}

/**
 * Asks the desk for what stands around the application's own part of a page.
 *
 * @param {{ app: string, mode: string, session: object | null, cookies: string }} facts
 * @returns {Promise<{ head: string, panels: string }>} HTML
 */
export async function askForPanels(facts) {
  return (await post('/panels', facts)).json()
}

function post(path, body) {
  const { DEMO_DESK, DEMO_TOKEN } = process.env
  return fetch(DEMO_DESK + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${DEMO_TOKEN}` },
    body: JSON.stringify(body),
  })
}
