import { html } from './html.js'

/** The bar with the name and the places to go. */
export function topBar(addresses, current) {
  const place = (name, url) =>
    html`<a href="${url}" ${name === current && html`aria-current="page"`}>${name}</a>`
  return html`<header class="bar">
    <a class="brand" href="${addresses.desk}"><img src="${addresses.desk}/logo.svg" alt="" width="28" height="28" />SiteAuth</a>
    <nav>${place('Express', addresses.express)} ${place('Next.js', addresses.next)} ${place('Inbox', `${addresses.desk}/inbox`)}</nav>
  </header>`
}
