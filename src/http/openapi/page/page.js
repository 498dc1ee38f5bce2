/* Shows the document. It is a file of its own because the page's policy allows no script within the page. */

/** Optional parts of a form are sent when somebody filled them in: a choice starts with none, and nothing is sent empty. */
const openForms = {
  afterLoad({ fn }) {
    const { getSampleSchema } = fn;
    fn.getSampleSchema = (schema, mediaType, ...rest) =>
      mediaType === false && schema.has?.("enum") ? "" : getSampleSchema(schema, mediaType, ...rest);
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
