/** A file that is in the way of a new one, under another name; null if there is none. */
export function findObstacle(path: string, files: readonly string[]): string | null {
  const place = placeOf(path)
  return files.find(file => file !== path && placeOf(file) === place) ?? null
}

/** What a file is found by: for Next, extensions, groups and names of parameters make no difference. */
function placeOf(file: string): string {
  const stem = file.replace(/\.[cm]?[jt]sx?$/, '')
  const [, address] =
    /^(?:src\/)?(?:app\/(.*)\/route|pages\/(.*))$/.exec(stem)?.filter(Boolean) ?? []
  if (address === undefined) return stem.replace(/\/index$/, '')
  return `address ${address.replaceAll(/\([^)]*\)\//g, '').replaceAll(/\[+\.{3}[^\]]+\]+/g, '[...]')}`
}
