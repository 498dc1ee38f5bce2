/* Shows the document. It is a file of its own because the page's policy allows no script within the page. */

/** The component with some of its properties changed. */
function changed(change) {
  return (Original, { React }) =>
    (props) =>
      React.createElement(Original, { ...props, ...change(props) });
}

/** The component within an element of its own, which may say something before it. */
function within(tag, attributesOf, textOf = () => undefined) {
  return (Original, { React }) =>
    (props) => {
      const text = React.createElement("span", { className: "only-heard" }, textOf(props));
      return React.createElement(tag, attributesOf(props), text, React.createElement(Original, props));
    };
}

/** Nothing is sent that nobody typed: a body starts with the names of what it needs, and a form starts empty. */
const blankRequests = {
  afterLoad({ fn }) {
    const { getSampleSchema } = fn;
    fn.getSampleSchema = (schema, mediaType, config, example) => {
      if (mediaType === false) return "";
      const isBody = config?.includeWriteOnly === true && example !== undefined;
      return isBody
        ? blankBody(example.toJS(), schema.toJS().required)
        : getSampleSchema(schema, mediaType, config, example);
    };
  },
  wrapComponents: {
    ParameterIncludeEmpty: changed(({ isIncludedOptions }) => ({
      isIncludedOptions: { ...isIncludedOptions, defaultValue: false },
    })),
  },
};

/** The example without its values; of its fields those that are needed, or all where none is. */
function blankBody(example, needed = Object.keys(example)) {
  return Object.fromEntries(needed.map((name) => [name, blank(example[name])]));
}

function blank(value) {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return [];
  return typeof value === "object" && value !== null ? blankBody(value) : null;
}

/** Names for what has none, for people who hear the page. */
const namedControls = {
  wrapComponents: {
    Input: changed(({ id }) => (id in tokenInputs ? { "aria-label": tokenInputs[id] } : {})),
    TextArea: changed(() => ({ "aria-label": "Request body" })),
    // Their labels say something else than their texts.
    Button: changed(({ children }) => (typeof children === "string" ? { "aria-label": undefined } : {})),
    CloseIcon: within("span", () => ({ role: "img", "aria-label": "Close" })),
    JsonSchemaForm: within(
      "label",
      () => ({}),
      ({ description }) => description,
    ),
    authorizationPopup: within("div", () => ({ role: "dialog", "aria-label": "Authorize" })),
  },
};

const tokenInputs = { "auth-bearer-value": "JWT", api_key_value: "Service token" };

/** What is arranged otherwise than by Swagger UI. */
const arrangement = {
  wrapComponents: {
    // There is one server, and nothing to choose.
    ServersContainer: () => () => null,
    // Each field asks for the focus, and the last would get it; people come with a JWT, which the first one takes.
    authorizationPopup: (Original, { React }) =>
      function AuthorizationPopup(props) {
        React.useEffect(() => document.querySelector(".modal-ux input")?.focus(), []);
        return React.createElement(Original, props);
      },
    // A button holds no link. Opening an operation shows its address all the same.
    OperationSummaryPath: changed(({ operationProps }) => ({
      operationProps: operationProps.set("isDeepLinkingEnabled", false),
    })),
    // What is wider or higher than its place can be moved by keys.
    SyntaxHighlighter: (Original, { React }) =>
      function SyntaxHighlighter(props) {
        const place = React.useRef(null);
        React.useEffect(() => place.current.querySelector("pre")?.setAttribute("tabindex", "0"));
        return React.createElement("div", { ref: place }, React.createElement(Original, props));
      },
  },
};

window.SwaggerUIBundle({
  dom_id: "#api",
  url: "/swagger/json",
  plugins: [blankRequests, namedControls, arrangement],
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  syntaxHighlight: { theme: "obsidian" },
  // The named schemas are many; who wants them opens their list.
  defaultModelsExpandDepth: 0,
  // A token left in the browser would outlive whoever sat there.
  persistAuthorization: false,
  // Neither asks another host whether the document is valid, nor takes settings from the page's address.
  validatorUrl: null,
  queryConfigEnabled: false,
});
