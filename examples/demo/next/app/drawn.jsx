/** What the desk has drawn. */
export function Drawn({ html }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the desk escapes all that it is told
  return <div className="drawn" dangerouslySetInnerHTML={{ __html: html }} />
}
