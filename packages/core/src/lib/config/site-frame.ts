import type { Basis } from './basis.ts'
import { usablePages } from './pages.ts'
import { pathsOf } from './paths-of.ts'
import type { SiteFrame } from './resolved.ts'

/** Finds out where an application and its pages are. */
export function siteFrameOf(basis: Basis): SiteFrame {
  const { options, said } = basis
  return {
    pages: usablePages(options.pages),
    paths: pathsOf(basis),
    origin: said.url?.origin,
    trustHost: options.trustHost ?? said.trustHost,
  }
}
