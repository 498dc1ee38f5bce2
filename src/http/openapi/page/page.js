/* Shows the document. It is a file of its own because the page's policy allows no script within the page. */

/** Parts of a form are sent when somebody filled them in: what has no example starts empty, and nothing is sent empty. */
const openForms = {
  afterLoad({ fn }) {
    const { getSampleSchema } = fn;
    fn.getSampleSchema = (schema, mediaType, ...rest) =>
      mediaType === false && !hasExample(schema) ? "" : getSampleSchema(schema, mediaType, ...rest);
  },
  wrapComponents: {
    ParameterIncludeEmpty:
      (Original, { React }) =>
      (props) =>
        React.createElement(Original, {
          ...props,
          isIncludedOptions: { ...props.isIncludedOptions, defaultValue: false },
        }),
  },
};

function hasExample(schema) {
  return ["examples", "default"].some((keyword) => schema.has?.(keyword));
}

window.SwaggerUIBundle({
  dom_id: "#api",
  url: "/swagger/json",
  plugins: [openForms],
  deepLinking: true,
  tryItOutEnabled: true,
  // A token left in the browser would outlive whoever sat there.
  persistAuthorization: false,
  // Neither asks another host whether the document is valid, nor takes settings from the page's address.
  validatorUrl: null,
  queryConfigEnabled: false,
});
