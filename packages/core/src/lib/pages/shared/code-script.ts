/** Counts the seconds until a new code can be asked for, on the button for it. */
export const script: string = `(() => {
  const button = document.querySelector('[data-wait]')
  const text = button.textContent
  const end = Date.now() + button.dataset.wait * 1000

  function count() {
    const left = Math.ceil((end - Date.now()) / 1000)
    button.disabled = left > 0
    button.textContent = left > 0 ? text + ' (' + left + ')' : text
    if (left > 0) setTimeout(count, 1000)
  }

  count()
})()
`
