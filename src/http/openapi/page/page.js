/* Shows the document. It is a file of its own because the page's policy allows no script within the page. */
window.SwaggerUIBundle({
  dom_id: "#api",
  url: "/swagger/json",
  deepLinking: true,
  tryItOutEnabled: true,
  // A token left in the browser would outlive whoever sat there.
  persistAuthorization: false,
  // Neither asks another host whether the document is valid, nor takes settings from the page's address.
  validatorUrl: null,
  queryConfigEnabled: false,
});
