import { expect, it } from 'vitest'
import { pageOf } from './frameworks-docs.mjs'

const result = (framework: string, name: string, passed = true) => ({
  framework,
  group: 'sessions',
  name,
  isKnown: false,
  passed,
})

it('the table has a mark for a case that passed with every kind of session', () => {
  const page = pageOf([
    result('Hono', 'is read'),
    result('Hono', 'is read'),
    result('Hono', 'is renewed'),
    result('Hono', 'is renewed', false),
    result('Astro', 'is read'),
  ])
  expect(page).toContain('## Sessions\n\n| | Astro | Hono |\n|---|---|---|\n')
  expect(page).toContain('| is read | ✓ | ✓ |')
  expect(page).toContain('| is renewed | – | ✗ |')
})
