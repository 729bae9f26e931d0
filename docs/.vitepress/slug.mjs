/** The anchor of a heading, as GitHub makes it: one link then works on the site and there. */
export function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, '')
    .replaceAll(' ', '-')
}
