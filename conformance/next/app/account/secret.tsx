'use client'

import { useState } from 'react'
import { runForAda, tellSecret } from './actions'

export function Secret() {
  const [told, setTold] = useState('')
  const ask = () =>
    tellSecret().then(setTold, () => {
      setTold('nothing')
    })
  return (
    <p>
      <button type="button" onClick={ask}>
        Secret
      </button>{' '}
      <button type="button" onClick={() => runForAda().then(setTold)}>
        Run
      </button>{' '}
      <output>{told}</output>
    </p>
  )
}
