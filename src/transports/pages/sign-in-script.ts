// The one script of the sign-in page. The token of a mailed link stands behind the # of its address, which no server is sent and no
// log keeps; it is taken out of the address, so that no history keeps it either, and put into a form. A click sends that: what
// reads mail for people follows links, and does not click.

export const SIGN_IN_SCRIPT = `'use strict';
const found = /^#token=([\\w.-]{1,200})$/.exec(location.hash);
const form = document.getElementById('mailed');
if (found && form) {
  history.replaceState(null, '', location.pathname + location.search);
  form.elements.namedItem('token').value = found[1];
  for (const other of document.querySelectorAll('main > form')) other.hidden = other !== form;
  form.querySelector('button').focus();
}
`;
