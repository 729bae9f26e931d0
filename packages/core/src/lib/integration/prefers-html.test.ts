import { expect, it } from 'vitest'
import { prefersPage } from './prefers-html.ts'

it.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['text/*', true],
  ['text/html, application/json', true],
  ['text/html;q=0.9, */*;q=0.9', true],
  ['TEXT/HTML', true],
  ['application/json, text/html', false],
  ['application/json, text/html;q=0.9', false],
  ['application/json', false],
  ['*/*', false],
  ['', false],
  [null, false],
  ['text/html;q=0', false],
  ['text/html;q=2', false],
  ['text/html;q=x', false],
  ['image/png', false],
])('what accepts %j prefers a page: %s', (accept, expected) => {
  expect(prefersPage(accept)).toBe(expected)
})
