/**
 * Helpers for every page with a form, none of them essential: a form is sent once however often its
 * button is pressed, a password can be revealed, the method used last is marked, every form knows
 * who wants to stay signed in, and the page behind an email link continues automatically in the
 * browser that asked for it.
 */
export const script: string = `(() => {
  const key = 'auth.last-method'
  const forms = [...document.forms]
  for (const form of forms) form.dataset.scripted = ''

  const reveals = [...document.querySelectorAll('.reveal')]
  for (const button of reveals) {
    button.hidden = false
    button.addEventListener('click', () => reveal(button, button.ariaPressed === 'false'))
  }

  function reveal(button, shown) {
    button.previousElementSibling.type = shown ? 'text' : 'password'
    button.ariaPressed = String(shown)
  }

  const remember = document.querySelector('[data-remember]')
  if (remember) {
    remember.parentElement.hidden = false
    const fields = forms.map(form => form.appendChild(document.createElement('input')))
    for (const field of fields) Object.assign(field, { type: 'hidden', name: 'remember' })
    const tell = () => fields.forEach(field => (field.value = remember.checked))
    remember.addEventListener('change', tell)
    // Browsers may have put the mark back.
    addEventListener('pageshow', tell)
    tell()
  }

  // After the listeners of a form: what they handle themselves is not sent.
  addEventListener('submit', event => {
    const form = event.target
    if (event.defaultPrevented) return
    if (form.ariaBusy) return event.preventDefault()
    release()
    form.ariaBusy = 'true'
    // Browsers offer again what was sent as text.
    for (const button of reveals) reveal(button, false)
    // A form that was sent but led nowhere, to a download say, can be sent again.
    setTimeout(release, 10000)
    // Where the server marks it, nothing is kept here.
    if (note && form.dataset.method) keepMethod(form.dataset.method)
  })

  // Who comes back with the back button finds the page as it was left.
  addEventListener('pageshow', event => event.persisted && release())

  function release() {
    for (const form of forms) form.removeAttribute('aria-busy')
  }

  // Where storage is denied, so is the memory.
  function keepMethod(method) {
    try {
      localStorage.setItem(key, method)
    } catch {}
  }

  function keptMethod() {
    try {
      return localStorage.getItem(key)
    } catch {}
  }

  const methods = forms.filter(form => form.dataset.method)
  const last = methods.find(form => form.dataset.method === keptMethod())
  const note = document.querySelector('[data-last-used]')
  if (last && note && methods.length > 1) {
    const mark = document.createElement('small')
    mark.textContent = note.dataset.lastUsed
    last.querySelector('[type=submit]').append(mark)
  }

  forms.find(form => form.dataset.submitsItself)?.requestSubmit()
})()
`
