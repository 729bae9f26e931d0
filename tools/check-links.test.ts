import { expect, it } from 'vitest'
import { checkLinks } from './check-links.mjs'
import { makeRepository } from './fixture.ts'

it('finds a link to a file that is not there', () => {
  const root = makeRepository({
    'README.md': '[gone](docs/gone.md)',
    'packages/core/README.md': 'x\n\n[gone](../../docs/gone.md)',
  })
  expect(checkLinks(root)).toEqual([
    'README.md:1 links to docs/gone.md: there is no such file',
    'packages/core/README.md:3 links to ../../docs/gone.md: there is no such file',
  ])
})

it('finds a link to an anchor that is not there, in the same document and in others', () => {
  const root = makeRepository({
    'README.md': '# Here\n[a](#here) [b](#there) [c](docs/x.md#the-end) [d](docs/x.md#end)',
    'docs/x.md': '## The `end`',
  })
  expect(checkLinks(root)).toEqual([
    'README.md:2 links to #there: there is no such anchor',
    'README.md:2 links to docs/x.md#end: there is no such anchor',
  ])
})

it('knows the anchors of headings that are there twice, and those that are written out', () => {
  const root = makeRepository({
    'README.md': '# A\n# A\n<a id="own"></a>\n[1](#a) [2](#a-1) [3](#own) [4](#a-2)',
  })
  expect(checkLinks(root)).toEqual(['README.md:4 links to #a-2: there is no such anchor'])
})

it('follows links from the root of the site, and to folders', () => {
  const root = makeRepository({
    'docs/index.md': '---\nlink: /guide/x\n---\n[a](/providers/) [b](/nowhere) [c](providers)',
    'docs/guide/x.md': '',
    'docs/providers/README.md': '',
  })
  expect(checkLinks(root)).toEqual(['docs/index.md:4 links to /nowhere: there is no such file'])
})

it('looks at pages that are made from the source, too', () => {
  const root = makeRepository({
    '.gitignore': 'docs/reference/api/',
    'docs/reference/api/core.md': '[x](#x)',
  })
  expect(checkLinks(root)).toEqual([
    'docs/reference/api/core.md:1 links to #x: there is no such anchor',
  ])
})

it('passes over code, and over links to other sites that are written well', () => {
  const root = makeRepository({
    'README.md':
      '`[a](b.md)`\n```ts\n[c](d.md)\n```\n[e](https://example.com/f) [g](http://h.example)',
  })
  expect(checkLinks(root)).toEqual([
    'README.md:5 links to http://h.example: other sites are linked with https',
  ])
})
