// remark-validate-links knows neither links from the root of the site nor anchors in HTML, and takes 200 packages.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { API_FOLDER } from './api-docs.mjs'
import { listDocuments, readDocument } from './documents.mjs'
import { ROOT, runAsScript } from './workspace.mjs'

/**
 * Links that lead nowhere: to a file that is not there, or to an anchor that it does not have.
 * Links to other sites are only looked at: a check that needs the network fails for its own reasons.
 */
export function checkLinks(root = ROOT) {
  const read = new Map()
  const documentAt = file => {
    if (!read.has(file)) read.set(file, readDocument(join(root, file)))
    return read.get(file)
  }
  return [...listDocuments(root), ...generated(root)].flatMap(file =>
    documentAt(file).links.flatMap(({ target, line }) => {
      const fault = faultOf(root, file, target, documentAt)
      return fault ? [`${file}:${line} links to ${target}: ${fault}`] : []
    }),
  )
}

// Not known to git, and linked all the same.
function generated(root) {
  const folder = join(root, API_FOLDER)
  return existsSync(folder) ? readdirSync(folder).map(file => posix.join(API_FOLDER, file)) : []
}

function faultOf(root, from, target, documentAt) {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return outsideFault(target)
  const [path, anchor] = target.split('#')
  const file = path === '' ? from : fileAt(root, from, decodeURI(path))
  if (!file) return 'there is no such file'
  if (anchor === undefined) return null
  if (!file.endsWith('.md')) return 'only documents have anchors'
  return documentAt(file).anchors.has(decodeURIComponent(anchor)) ? null : 'there is no such anchor'
}

function outsideFault(target) {
  if (/^mailto:/i.test(target)) return null
  return /^https:\/\/[^/\s]+\.[a-z]+/i.test(target) ? null : 'other sites are linked with https'
}

// Links from the root of the site, as the start page has them, leave the ending out.
function fileAt(root, from, path) {
  const base = path.startsWith('/')
    ? posix.join('docs', path)
    : posix.normalize(posix.join(dirname(from), path))
  const candidates = path.startsWith('/')
    ? [`${base}.md`, join(base, 'index.md'), join(base, 'README.md'), join('docs/public', path)]
    : [base, join(base, 'README.md')]
  const found = candidates.filter(each => !each.startsWith('..') && existsSync(join(root, each)))
  return found.find(each => statSync(join(root, each)).isFile()) ?? found[0]
}

runAsScript(import.meta.url, checkLinks)
