import { type Html, html } from './html.ts'

/** Drawings of our own, in a square of 24 by 24, for what a page is about. */
const drawings: Readonly<Record<IconName, Html>> = {
  mail: html`<path d="M3 6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5zM3.5 7l8.5 6 8.5-6"/>`,
  person: html`<path d="M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4.5 20a7.5 7.5 0 0 1 15 0"/>`,
  door: html`<path d="M10 4H5.5A1.5 1.5 0 0 0 4 5.5v13A1.5 1.5 0 0 0 5.5 20H10M15.5 8l4 4-4 4M19.5 12H9.5"/>`,
  // The stroke through it is the last path.
  eye: html`<path d="M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z"/><path d="M4 4l16 16"/>`,
  alert: html`<path d="M12 8v5M12 16.5v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z"/>`,
}

/** The image above the heading of a page. */
export type IconName = 'mail' | 'person' | 'door' | 'eye' | 'alert'

/** A drawing that adds nothing to the heading. */
export function icon(name: IconName, className: string): Html {
  return html`<svg class="${className}" viewBox="0 0 24 24" aria-hidden="true">${drawings[name]}</svg>`
}
